//! The headers that repeat what the body says, and the order of all checks.

use axum::body::Body;
use http::Request;
use serde_json::{Value, json};

use super::{discover, post, post_with, router, send};
use crate::fixture::{call, meta, request};

#[tokio::test]
async fn a_request_with_the_right_head_is_served() {
    let router = router();
    let got = send(&router, post(&discover())).await;
    assert_eq!(got.status, 200);
    assert_eq!(got.json()["result"]["resultType"], "complete");
    // Header names are compared whatever their case, values without the blanks around them; a
    // session of old times means nothing.
    let body = call("now", json!({}));
    let changes = [
        ("mcp-name", Some("  now ")),
        ("mcp-session-id", Some("x")),
        ("last-event-id", Some("7")),
        ("content-type", Some("Application/JSON; charset=utf-8")),
    ];
    let got = send(&router, post_with(&body, &changes)).await;
    assert_eq!(got.json()["result"]["content"][0]["text"], "noon");
    assert!(!got.headers.contains_key("mcp-session-id"));
}

#[tokio::test]
async fn headers_that_disagree_with_the_body_are_refused() {
    let router = router();
    let list = request(1, "tools/list", json!({}));
    let now = call("now", json!({}));
    let cases = [
        (&list, "mcp-protocol-version", None),
        (&list, "mcp-protocol-version", Some("2025-11-25")),
        (&list, "mcp-protocol-version", Some("1900-01-01")),
        (&list, "mcp-method", None),
        (&list, "mcp-method", Some("prompts/list")),
        (&list, "mcp-method", Some("TOOLS/LIST")),
        (&now, "mcp-name", None),
        (&now, "mcp-name", Some("other")),
        (&now, "mcp-name", Some("NOW")),
        (&now, "mcp-name", Some("=?base64?bm93?")),
        (&now, "mcp-name", Some("=?base64?bm9?=")),
        (&now, "mcp-name", Some("=?BASE64?bm93?=")),
    ];
    for (body, name, value) in cases {
        let got = send(&router, post_with(body, &[(name, value)])).await;
        assert_eq!(
            (got.status.as_u16(), got.code()),
            (400, -32020),
            "{name} {value:?}"
        );
        assert_eq!(got.json()["id"], 1);
    }
    let got = send(
        &router,
        post_with(&now, &[("mcp-name", Some("=?base64?bm93?="))]),
    )
    .await;
    assert_eq!(got.status, 200);
    let mut twice = post(&now);
    twice
        .headers_mut()
        .append("mcp-name", "now".parse().unwrap());
    assert_eq!(send(&router, twice).await.code(), -32020);
    let mut unreadable = post(&now);
    unreadable.headers_mut().insert(
        "mcp-name",
        http::HeaderValue::from_bytes(b"n\xf6w").unwrap(),
    );
    assert_eq!(send(&router, unreadable).await.code(), -32020);
}

#[tokio::test]
async fn the_first_check_that_fails_wins() {
    let router = router();
    let versioned = |version: &str| {
        let mut body = discover();
        body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(version);
        body
    };
    let bare = |params: Value| json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": params});
    let only = |name: &str| json!({"_meta": {name: meta()[name].clone()}});
    let version = "mcp-protocol-version";
    let cases: Vec<(Request<Body>, u16, i64)> = vec![
        // `_meta` before the comparison of header and body.
        (post(&bare(json!({}))), 400, -32602),
        (
            post(&json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover"})),
            400,
            -32602,
        ),
        (
            post(&bare(only("io.modelcontextprotocol/protocolVersion"))),
            400,
            -32602,
        ),
        (
            post(&bare(only("io.modelcontextprotocol/clientCapabilities"))),
            400,
            -32602,
        ),
        // A mismatch before the unknown version.
        (post(&versioned("v999")), 400, -32020),
        (
            post_with(&versioned("v999"), &[(version, Some("v999"))]),
            400,
            -32022,
        ),
        // An unknown version before the other headers: their rules are unknown.
        (
            post_with(
                &versioned("v999"),
                &[(version, Some("v999")), ("mcp-method", None)],
            ),
            400,
            -32022,
        ),
        // Headers before the method.
        (
            post_with(
                &request(1, "unknown/method", json!({})),
                &[("mcp-method", None)],
            ),
            400,
            -32020,
        ),
        (post(&request(1, "unknown/method", json!({}))), 404, -32601),
        (post(&request(1, "initialize", json!({}))), 404, -32601),
        (post(&request(1, "ping", json!({}))), 404, -32601),
        // The shape of params and the tool before mirrored arguments and capabilities.
        (
            post(&request(1, "tools/call", json!({"arguments": {}}))),
            400,
            -32602,
        ),
        (post(&call("nope", json!({"region": "eu"}))), 400, -32602),
        (
            post(&call("run_query", json!({"region": "eu"}))),
            400,
            -32020,
        ),
        // A handshake is told what is missing.
        (
            post_with(
                &json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}),
                &[(version, None)],
            ),
            400,
            if cfg!(feature = "legacy") {
                -32602
            } else {
                -32020
            },
        ),
        (post_with(&discover(), &[(version, None)]), 400, -32020),
    ];
    for (request, status, code) in cases {
        let shown = format!("{request:?}");
        let got = send(&router, request).await;
        assert_eq!(
            (got.status.as_u16(), got.code()),
            (status, code),
            "{shown} {}",
            got.text
        );
    }
}

#[tokio::test]
async fn an_old_client_is_told_which_version_is_spoken() {
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}});
    for changes in [
        [("mcp-protocol-version", None)],
        [("mcp-protocol-version", Some("2025-11-25"))],
    ] {
        let got = send(&router(), post_with(&initialize, &changes)).await;
        assert_eq!(got.status, 400);
        assert!(
            got.json()["error"]["message"]
                .as_str()
                .unwrap()
                .contains("2026-07-28"),
            "{}",
            got.text
        );
    }
}

#[tokio::test]
async fn mirrored_arguments_are_compared() {
    let router = router();
    let cases = [
        (json!({"region": "eu"}), Some("eu"), None, true),
        (json!({"region": "eu"}), None, None, false),
        (json!({"region": "eu"}), Some("us"), None, false),
        (json!({"region": "eu"}), Some("=?base64?ZXU=?="), None, true),
        (json!({"region": "eu"}), Some("=?base64?ZXU?="), None, false),
        (
            json!({"region": "eu"}),
            Some("=?base64?Z!U=?="),
            None,
            false,
        ),
        (json!({"region": ""}), Some(""), None, true),
        (
            json!({"region": "Zürich"}),
            Some("=?base64?WsO8cmljaA==?="),
            None,
            true,
        ),
        (json!({}), None, None, true),
        (json!({"region": null}), None, None, true),
        (json!({"region": null}), Some("eu"), None, false),
        (json!({}), Some("eu"), None, false),
        (json!({"limit": 42}), None, Some("42.0"), true),
        (json!({"limit": 42}), None, Some("43"), false),
        (json!({"limit": 42}), None, Some("forty-two"), false),
    ];
    for (arguments, region, limit, expected) in cases {
        let changes = [("mcp-param-region", region), ("mcp-param-limit", limit)];
        let got = send(
            &router,
            post_with(&call("run_query", arguments.clone()), &changes),
        )
        .await;
        if expected {
            assert_eq!(got.status, 200, "{arguments} {changes:?} {}", got.text);
        } else {
            assert_eq!(
                (got.status.as_u16(), got.code()),
                (400, -32020),
                "{arguments} {changes:?}"
            );
        }
    }
}
