//! The example server over Streamable HTTP, on a port of this machine.

use std::net::SocketAddr;

use mrtr::Server;
use mrtr::prelude::*;
use mrtr_examples::travel_desk;
use mrtr_tests::{accept, frame};
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::examples::protected;
use crate::http_client::{exchange, headers, post, post_with};
use crate::stdio::play_all;

/// Serves on a free port until the test's runtime ends.
async fn serve(server: Server) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(server.serve_listener(listener));
    address
}

fn whoami() -> Value {
    frame(
        1,
        "tools/call",
        json!({ "name": "whoami", "arguments": {} }),
    )
}

#[tokio::test]
async fn the_official_client_is_served_over_http() {
    let address = serve(travel_desk::server()).await;
    play_all(|| StreamableHttpClientTransport::from_uri(format!("http://{address}/mcp"))).await;
}

#[tokio::test]
async fn a_flow_over_plain_http_is_one_response_a_request() {
    let address = serve(travel_desk::server()).await;
    let asked = post(address, &whoami()).await;
    assert_eq!(
        (
            asked.status,
            asked.has_header("content-type: application/json")
        ),
        (200, true),
        "{asked:?}"
    );
    let params = json!({
        "name": "whoami", "arguments": {},
        "requestState": asked.json()["result"]["requestState"],
        "inputResponses": { "who": accept(json!({ "name": "Ada" })) },
    });
    let end = post(address, &frame(2, "tools/call", params)).await;
    assert_eq!(
        (end.status, &end.json()["result"]["content"][0]["text"]),
        (200, &json!("Hello, Ada!"))
    );
}

#[tokio::test]
async fn what_is_wrong_with_a_request_has_its_status_and_code() {
    let address = serve(travel_desk::server()).await;
    let without = |name: &str| {
        headers(&whoami())
            .into_iter()
            .filter(|(header, _)| header != name)
            .collect::<Vec<_>>()
    };
    let with = |name: &str, value: &str| {
        let mut headers = without(name);
        headers.push((name.to_owned(), value.to_owned()));
        headers
    };
    let table = [
        (
            "no version header",
            without("MCP-Protocol-Version"),
            400,
            -32020,
        ),
        (
            "another version in the header",
            with("MCP-Protocol-Version", "2025-11-25"),
            400,
            -32020,
        ),
        ("no method header", without("Mcp-Method"), 400, -32020),
        (
            "another method in the header",
            with("Mcp-Method", "tools/list"),
            400,
            -32020,
        ),
        ("no name header", without("Mcp-Name"), 400, -32020),
        (
            "another name in the header",
            with("Mcp-Name", "book"),
            400,
            -32020,
        ),
    ];
    for (what, headers, status, code) in table {
        let reply = post_with(address, &whoami(), &headers).await;
        assert_eq!(
            (reply.status, &reply.json()["error"]["code"]),
            (status, &json!(code)),
            "{what}: {reply:?}"
        );
    }
    let mut unable = whoami();
    unable["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    let reply = post(address, &unable).await;
    assert_eq!(
        (reply.status, &reply.json()["error"]["code"]),
        (400, &json!(-32021)),
        "{reply:?}"
    );
    let unknown = post(address, &frame(1, "tools/frobnicate", json!({}))).await;
    assert_eq!(
        (unknown.status, &unknown.json()["error"]["code"]),
        (404, &json!(-32601))
    );
    let old = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let taken = post(address, &old).await;
    assert!([202, 400].contains(&taken.status), "{taken:?}");
}

#[tool]
async fn regional(#[arg(header = "Region")] region: Option<String>) -> String {
    region.unwrap_or_default()
}

#[tokio::test]
async fn a_mirrored_argument_and_its_header_must_say_the_same() {
    let address = serve(Server::new("mirrors", "1").tool(regional)).await;
    let call = |region: Value| {
        frame(
            1,
            "tools/call",
            json!({ "name": "regional", "arguments": { "region": region } }),
        )
    };
    let (eu, smile) = (call(json!("eu")), call(json!("☺")));
    let none = frame(
        1,
        "tools/call",
        json!({ "name": "regional", "arguments": {} }),
    );
    let table = [
        (&eu, Some("eu"), 200),
        (&smile, Some("=?base64?4pi6?="), 200),
        (&none, None, 200),
        (&eu, None, 400),
        (&eu, Some("us"), 400),
        (&none, Some("eu"), 400),
        (&smile, Some("=?base64?4pi?="), 400),
    ];
    for (frame, header, status) in table {
        let mut headers = headers(frame);
        headers.extend(header.map(|value| ("Mcp-Param-Region".to_owned(), value.to_owned())));
        let reply = post_with(address, frame, &headers).await;
        assert_eq!(reply.status, status, "{frame} {header:?}: {reply:?}");
        if status == 400 {
            assert_eq!(reply.json()["error"]["code"], -32020, "{reply:?}");
        }
    }
}

#[tool]
async fn head(parts: Parts, Extension(tenant): Extension<Tenant>) -> String {
    let agent = parts
        .headers
        .get("user-agent")
        .and_then(|value| value.to_str().ok());
    format!("{} {}", tenant.0, agent.unwrap_or("nobody"))
}

/// What a layer in front of the server found out.
#[derive(Clone)]
struct Tenant(&'static str);

#[tokio::test]
async fn a_handler_sees_the_request_and_what_layers_put_into_it() {
    let server = Server::new("head", "1")
        .tool(head)
        .ephemeral_key()
        .allow_host("127.0.0.1");
    let layer = axum::Extension(Tenant("blue"));
    let router = server.router().expect("the server builds").layer(layer);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    let call = frame(1, "tools/call", json!({ "name": "head", "arguments": {} }));
    let mut headers = headers(&call);
    headers.push(("User-Agent".to_owned(), "tests".to_owned()));
    let reply = post_with(address, &call, &headers).await;
    assert_eq!(
        reply.json()["result"]["content"][0]["text"],
        "blue tests",
        "{reply:?}"
    );
}

#[tokio::test]
async fn pages_of_other_origins_and_other_names_of_the_host_do_not_get_in() {
    let address = serve(travel_desk::server()).await;
    let with = |name: &str, value: &str| {
        let mut headers: Vec<_> = headers(&whoami())
            .into_iter()
            .filter(|(header, _)| header != name)
            .collect();
        headers.push((name.to_owned(), value.to_owned()));
        headers
    };
    for (headers, status) in [
        (with("Origin", "http://localhost:5173"), 200),
        (with("Origin", "https://evil.example"), 403),
        (with("Origin", "null"), 403),
        (with("Host", "localhost"), 200),
        (with("Host", "LOCALHOST.:80"), 200),
        (with("Host", "evil.example"), 403),
        (with("Host", "localhost.evil.example"), 403),
        (with("Content-Type", "text/plain"), 415),
    ] {
        let reply = post_with(address, &whoami(), &headers).await;
        assert_eq!(reply.status, status, "{headers:?}: {reply:?}");
        assert!(
            !reply.has_header("access-control-allow-origin"),
            "{reply:?}"
        );
    }
}

#[tokio::test]
async fn other_verbs_and_large_bodies_are_refused() {
    let address = serve(travel_desk::server().max_body(8192)).await;
    for verb in ["GET", "DELETE", "PUT"] {
        let request =
            format!("{verb} /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        let reply = exchange(address, &request).await;
        assert_eq!(
            (reply.status, reply.has_header("allow: ")),
            (405, true),
            "{verb}: {reply:?}"
        );
    }
    let mut large = whoami();
    large["params"]["arguments"] = json!({ "x": "y".repeat(10_000) });
    assert_eq!(post(address, &large).await.status, 413);
    assert_eq!(
        post(address, &whoami()).await.status,
        200,
        "and the server still serves"
    );
}

#[tokio::test]
async fn a_protected_server_says_where_to_sign_in_and_binds_states_to_the_caller() {
    let address = serve(protected::server()).await;
    let diary = |id, params: Value| {
        let mut all = json!({ "name": "read_diary", "arguments": {} });
        for (name, value) in params.as_object().into_iter().flatten() {
            all[name] = value.clone();
        }
        frame(id, "tools/call", all)
    };
    let send = async |frame: &Value, token: Option<&str>| {
        let mut headers = headers(frame);
        headers.extend(token.map(|token| ("Authorization".to_owned(), format!("Bearer {token}"))));
        post_with(address, frame, &headers).await
    };
    for token in [None, Some("eve-reads"), Some("nonsense")] {
        let reply = send(&diary(1, json!({})), token).await;
        assert_eq!(reply.status, 401, "{token:?}: {reply:?}");
        assert!(reply.has_header("www-authenticate: bearer"), "{reply:?}");
        assert!(
            reply.head.contains("/.well-known/oauth-protected-resource"),
            "{reply:?}"
        );
    }
    let reply = send(&diary(1, json!({})), Some("ada-sleeps")).await;
    assert_eq!(
        (reply.status, reply.head.contains("insufficient_scope")),
        (403, true),
        "{reply:?}"
    );

    let asked = send(&diary(1, json!({})), Some("ada-reads")).await;
    let next = json!({
        "requestState": asked.json()["result"]["requestState"],
        "inputResponses": { "day": accept(json!({ "value": "Monday" })) },
    });
    let stolen = send(&diary(2, next.clone()), Some("bob-reads")).await;
    assert_eq!(stolen.json()["error"]["code"], -32602, "{stolen:?}");
    let own = send(&diary(3, next), Some("ada-reads")).await;
    assert_eq!(
        own.json()["result"]["content"][0]["text"],
        "ada on Monday: nothing happened"
    );
}

#[tokio::test]
async fn the_metadata_of_a_protected_server_is_at_both_places() {
    let address = serve(protected::server()).await;
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
    ] {
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        let reply = exchange(address, &request).await;
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        assert_eq!(
            reply.json()["authorization_servers"],
            json!(["https://login.example.com"])
        );
        assert_eq!(reply.json()["resource"], "http://127.0.0.1:8080/mcp");
    }
}

#[tokio::test]
async fn a_public_listener_without_key_host_or_callers_is_not_built() {
    let error = travel_desk::server()
        .router()
        .expect_err("three things are missing")
        .to_string();
    for part in [
        "MRTR_KEYS",
        "allow_host",
        "`book` commits",
        "`trip` commits",
    ] {
        assert!(error.contains(part), "no {part:?} in {error}");
    }
    let built = travel_desk::server()
        .ephemeral_key()
        .allow_host("mcp.example.com")
        .allow_anonymous_commits();
    assert!(built.router().is_ok());
}
