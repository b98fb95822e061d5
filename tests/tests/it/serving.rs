//! How calls are served, whatever brings them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mrtr::prelude::*;
use mrtr::{LogLevel, Server};
use mrtr_tests::{Peer, accept, frame};
use serde_json::{Value, json};

#[tool]
async fn ready() -> String {
    "ready".to_owned()
}

#[tool]
async fn silent() {}

#[tool]
async fn chatty(call: Call) -> String {
    call.progress(1.0, 2.0).await;
    call.log(LogLevel::Info, "half way").await;
    call.progress_message(2.0, 2.0, "done").await;
    "said".to_owned()
}

#[tool]
async fn asks(#[ask(message = "Who?")] who: String) -> String {
    who
}

fn peer() -> Peer {
    Peer::of(Server::new("serving", "1").tools([ready(), silent(), chatty(), asks()]))
}

#[tokio::test]
async fn a_call_may_be_the_first_message_and_come_without_arguments() {
    let bare = peer().send(json!({ "name": "ready" })).await;
    assert_eq!(bare.text(), "ready");
}

#[tokio::test]
async fn a_complete_result_always_has_content() {
    for tool in ["ready", "silent"] {
        let end = peer().call(tool, json!({})).await;
        assert!(end.result()["content"].is_array(), "{}", end.raw);
    }
}

#[tokio::test]
async fn what_the_server_is_can_be_asked_at_any_time() {
    let peer = peer();
    for _ in 0..2 {
        let text = peer.request("server/discover", json!({})).await;
        let reply: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(reply["result"]["supportedVersions"], json!(["2026-07-28"]));
        assert_eq!(
            reply["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
            "serving"
        );
    }
}

#[tokio::test]
async fn the_same_server_sends_the_same_bytes() {
    let (one, other) = (peer(), peer());
    for method in ["server/discover", "tools/list"] {
        assert_eq!(
            one.request(method, json!({})).await,
            other.request(method, json!({})).await
        );
    }
    let list = peer().request("tools/list", json!({})).await;
    let at = |name: &str| {
        list.find(&format!("\"name\":\"{name}\""))
            .expect("the tool is listed")
    };
    assert!(at("ready") < at("silent") && at("silent") < at("chatty") && at("chatty") < at("asks"));
}

#[tokio::test]
async fn pages_together_hold_every_tool_once() {
    let peer = Peer::of(Server::new("serving", "1").page_size(3).tools([
        ready(),
        silent(),
        chatty(),
        asks(),
    ]));
    let mut names = Vec::new();
    let mut params = json!({});
    loop {
        let text = peer.request("tools/list", params).await;
        let result = serde_json::from_str::<Value>(&text).expect("JSON")["result"].clone();
        names.extend(
            result["tools"]
                .as_array()
                .expect("tools")
                .iter()
                .map(|tool| tool["name"].to_string()),
        );
        match result["nextCursor"].as_str() {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => break,
        }
    }
    assert_eq!(names, ["\"ready\"", "\"silent\"", "\"chatty\"", "\"asks\""]);
    let text = peer
        .request("tools/list", json!({ "cursor": "made up" }))
        .await;
    assert!(text.contains("-32602"), "{text}");
}

#[tokio::test]
async fn progress_and_logs_come_before_the_result_and_only_when_wanted() {
    let quiet = frame(1, "tools/call", json!({ "name": "chatty" })).to_string();
    assert_eq!(peer().exchange(&quiet).await.len(), 1);
    let mut wanted = frame(1, "tools/call", json!({ "name": "chatty" }));
    wanted["params"]["_meta"]["progressToken"] = json!("token");
    wanted["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("info");
    let messages = peer().exchange(&wanted.to_string()).await;
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert!(
        messages[3].contains("said"),
        "the result is last: {messages:?}"
    );
}

#[tokio::test]
async fn what_is_no_request_of_this_revision_is_refused_with_its_code() {
    let call = frame(7, "tools/call", json!({ "name": "ready" }));
    let with = |change: &dyn Fn(&mut Value)| {
        let mut changed = call.clone();
        change(&mut changed);
        changed.to_string()
    };
    let table = [
        ("not JSON", "{".to_owned(), -32700),
        ("a batch", format!("[{call}]"), -32600),
        (
            "another JSON-RPC",
            with(&|call| call["jsonrpc"] = json!("1.0")),
            -32600,
        ),
        ("a null id", with(&|call| call["id"] = Value::Null), -32600),
        ("a broken id", with(&|call| call["id"] = json!(1.5)), -32600),
        (
            "a number for a method",
            with(&|call| call["method"] = json!(5)),
            -32600,
        ),
        (
            "an unknown method",
            with(&|call| call["method"] = json!("tools/frobnicate")),
            -32601,
        ),
        (
            "a method of the older revisions",
            with(&|call| call["method"] = json!("ping")),
            -32601,
        ),
        (
            "no `_meta`",
            with(&|call| {
                call["params"] = json!({ "name": "ready" });
            }),
            -32602,
        ),
        (
            "no version",
            with(&|call| {
                call["params"]["_meta"] =
                    json!({ "io.modelcontextprotocol/clientCapabilities": {} });
            }),
            -32602,
        ),
        (
            "no capabilities",
            with(&|call| {
                call["params"]["_meta"] =
                    json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
            }),
            -32602,
        ),
        (
            "a version of the future",
            with(&|call| {
                call["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] =
                    json!("2031-01-01")
            }),
            -32022,
        ),
        (
            "no name",
            with(&|call| {
                call["params"]["name"].take();
            }),
            -32602,
        ),
        (
            "an unknown tool",
            with(&|call| call["params"]["name"] = json!("nobody")),
            -32602,
        ),
        (
            "arguments in a list",
            with(&|call| call["params"]["arguments"] = json!([])),
            -32602,
        ),
    ];
    let peer = peer();
    for (what, text, code) in table {
        let reply = peer.exchange(&text).await.concat();
        let reply: Value =
            serde_json::from_str(&reply).unwrap_or_else(|_| panic!("{what}: {reply}"));
        assert_eq!(reply["error"]["code"], code, "{what}: {reply}");
    }
    assert_eq!(
        peer.call("ready", json!({})).await.text(),
        "ready",
        "and the server still serves"
    );
}

#[tokio::test]
async fn a_notification_is_never_answered() {
    for method in [
        "notifications/cancelled",
        "notifications/initialized",
        "made/up",
    ] {
        let text = json!({ "jsonrpc": "2.0", "method": method, "params": {} }).to_string();
        assert_eq!(
            peer().exchange(&text).await,
            Vec::<String>::new(),
            "{method}"
        );
    }
}

#[tokio::test]
async fn many_flows_on_one_pipe_do_not_mix() {
    let peer = peer();
    let done = Arc::new(AtomicUsize::new(0));
    let flows = (0..50).map(|number| {
        let (peer, done) = (peer.clone(), Arc::clone(&done));
        tokio::spawn(async move {
            let asked = peer.call("asks", json!({})).await;
            let word = format!("flow {number}");
            let end = asked
                .answer(json!({ "who": accept(json!({ "value": word })) }))
                .await;
            assert_eq!(end.text(), word);
            done.fetch_add(1, Ordering::SeqCst);
        })
    });
    for flow in flows.collect::<Vec<_>>() {
        flow.await.expect("no flow fails");
    }
    assert_eq!(done.load(Ordering::SeqCst), 50);
}
