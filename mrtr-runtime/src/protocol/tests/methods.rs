//! What each method answers, and what is refused before it runs.

use serde_json::{Value, json};

use super::{desk, desk_with, yes};
use crate::fixture::{Traces, all, call, request, send};
use crate::protocol::Request;
use crate::server::Icon;

#[tokio::test]
async fn discovery_needs_no_handshake() {
    let desk = desk_with(|server| {
        let icon = Icon::new("https://example.com/a.png")
            .mime_type("image/png")
            .size("48x48");
        server
            .title("Test")
            .instructions("Ask first.")
            .website("https://example.com")
            .icons([icon])
    });
    let answer = send(&desk.endpoint, &request("d1", "server/discover", json!({}))).await;
    assert_eq!(
        answer.to_string(),
        json!({
            "jsonrpc": "2.0",
            "id": "d1",
            "result": {
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": {"logging": {}, "tools": {}},
                "instructions": "Ask first.",
                "ttlMs": 60000,
                "cacheScope": "public",
                "_meta": {"io.modelcontextprotocol/serverInfo": {
                    "name": "test", "version": "1.0.0", "title": "Test",
                    "websiteUrl": "https://example.com",
                    "icons": [{"src": "https://example.com/a.png", "mimeType": "image/png", "sizes": ["48x48"]}],
                }},
            },
        })
        .to_string()
    );
}

#[tokio::test]
async fn the_list_goes_out_in_pages_in_the_order_of_registration() {
    let desk = desk_with(|server| server.page_size(2).server_info_in_results(false));
    let mut cursor = None;
    let mut names = Vec::new();
    loop {
        let params = cursor.map_or(json!({}), |cursor: Value| json!({"cursor": cursor}));
        let page = send(&desk.endpoint, &request(1, "tools/list", params)).await["result"].take();
        assert_eq!(
            (&page["resultType"], &page["cacheScope"]),
            (&json!("complete"), &json!("public"))
        );
        assert!(page["ttlMs"].is_u64() && page.get("_meta").is_none());
        let tools = page["tools"].as_array().unwrap();
        names.extend(
            tools
                .iter()
                .map(|tool| tool["name"].as_str().unwrap().to_owned()),
        );
        match page.get("nextCursor") {
            Some(next) => cursor = Some(next.clone()),
            None => break,
        }
    }
    assert_eq!(
        names,
        ["close_ticket", "now", "run_query", "chatty", "book"]
    );
    for cursor in [json!("!!"), json!(""), json!(1), json!(null)] {
        let message = request(1, "tools/list", json!({ "cursor": cursor }));
        assert_eq!(desk.code(&message).await, -32602, "{cursor}");
    }
}

#[tokio::test]
async fn what_a_client_cannot_be_asked_is_refused_before_anything_runs() {
    let desk = desk();
    let with = |capabilities: Value, state: Option<&str>| {
        let mut message = call("close_ticket", json!({"ticket": 4711}));
        let declared = "io.modelcontextprotocol/clientCapabilities";
        message["params"]["_meta"][declared] = capabilities;
        if let Some(state) = state {
            message["params"]["requestState"] = json!(state);
            message["params"]["inputResponses"] = json!({"confirm": yes()});
        }
        message
    };
    for capabilities in [
        json!({}),
        json!({"elicitation": {"url": {}}}),
        json!({"sampling": {}}),
    ] {
        let refused = send(&desk.endpoint, &with(capabilities, None)).await;
        assert_eq!(refused["error"]["code"], -32021);
        assert_eq!(
            refused["error"]["data"],
            json!({"requiredCapabilities": {"elicitation": {"form": {}}}})
        );
    }
    assert_eq!(Traces::read(&desk.traces.runs), 0);
    for capabilities in [
        json!({"elicitation": {}}),
        json!({"elicitation": {"form": {}}}),
    ] {
        let asked = send(&desk.endpoint, &with(capabilities, None)).await;
        assert_eq!(asked["result"]["resultType"], "input_required");
    }
    // What is answered already needs no capability any more.
    let state = desk.state().await;
    let done = send(&desk.endpoint, &with(json!({}), Some(&state))).await;
    assert_eq!(done["result"]["content"][0]["text"], "closed");
}

#[tokio::test]
async fn params_that_break_the_methods_shape_are_invalid() {
    let desk = desk();
    let nested = format!("{}{}", "[".repeat(70), "]".repeat(70));
    let deep = call("now", json!({})).to_string().replace(
        r#""arguments":{}"#,
        &format!(r#""arguments":{{"a":{nested}}}"#),
    );
    let twice = call("close_ticket", json!({"ticket": 1}))
        .to_string()
        .replace(r#"{"ticket":1}"#, r#"{"ticket":1,"ticket":2}"#);
    let frames = [
        request(3, "tools/call", json!({"arguments": {}})).to_string(),
        request(3, "tools/call", json!({"name": 5})).to_string(),
        request(3, "tools/call", json!({"name": "nope"})).to_string(),
        call("now", json!([1])).to_string(),
        call("now", json!(null)).to_string(),
        call("now", json!("x")).to_string(),
        deep,
        twice,
    ];
    for frame in frames {
        let answer = all(&desk.endpoint, Request::line(frame.clone()))
            .await
            .remove(0);
        assert_eq!(answer["error"]["code"], -32602, "{frame}");
        assert!(answer.get("id").is_some());
    }
    let absent = send(
        &desk.endpoint,
        &request(3, "tools/call", json!({"name": "now"})),
    )
    .await;
    assert_eq!(absent["result"]["content"][0]["text"], "noon");
    // What the schema refuses is for the model to mend.
    let wrong = send(
        &desk.endpoint,
        &call("close_ticket", json!({"ticket": "x"})),
    )
    .await;
    assert_eq!(wrong["result"]["isError"], true);
}

#[tokio::test]
async fn an_unknown_tool_is_named_short_and_clean() {
    let desk = desk();
    let name = format!("\u{202e}a\n{}", "x".repeat(500));
    let answer = send(&desk.endpoint, &call(&name, json!({}))).await;
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(
        message.starts_with(r"unknown tool: \u{202e}a\u{a}xxx"),
        "{message}"
    );
    assert!(message.chars().count() < 90);
}

#[tokio::test]
async fn methods_that_do_not_exist_here_are_unknown() {
    let desk = desk();
    for method in [
        "ping",
        "initialize",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "unknown/method",
        "prompts/list",
        "prompts/get",
        "resources/list",
        "tasks/list",
        "Tools/list",
        "",
    ] {
        assert_eq!(
            desk.code(&request(1, method, json!({}))).await,
            -32601,
            "{method}"
        );
    }
}

#[tokio::test]
async fn a_request_says_its_version_and_what_its_client_can_do() {
    let desk = desk();
    let bare = |method: &str, params: Value| json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover"}),
        bare("server/discover", json!({})),
        bare("tools/list", json!({"_meta": {}})),
        bare("tools/call", json!({"name": "now", "_meta": []})),
        bare(
            "initialize",
            json!({"protocolVersion": "2025-11-25", "capabilities": {}}),
        ),
    ] {
        let refused = send(&desk.endpoint, &message).await;
        assert_eq!(refused["error"]["code"], -32602, "{message}");
        assert_eq!(refused["error"]["data"]["supported"], json!(["2026-07-28"]));
        let initialize = message["method"] == "initialize";
        let text = refused["error"]["message"].as_str().unwrap();
        assert!(!initialize || text.contains("2026-07-28"), "{text}");
    }
    let mut old = request(1, "server/discover", json!({}));
    old["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("1900-01-01");
    let refused = send(&desk.endpoint, &old).await;
    assert_eq!(refused["error"]["code"], -32022);
    assert_eq!(
        refused["error"]["data"],
        json!({"supported": ["2026-07-28"], "requested": "1900-01-01"})
    );
}

#[tokio::test]
async fn lists_never_ask_and_pass_over_what_is_not_theirs() {
    let desk = desk();
    let message = request(
        1,
        "tools/list",
        json!({"inputResponses": [], "requestState": "x"}),
    );
    assert_eq!(
        send(&desk.endpoint, &message).await["result"]["resultType"],
        "complete"
    );
}
