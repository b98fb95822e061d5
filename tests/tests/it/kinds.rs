//! Prompts, resources, completions and subscriptions, from the outside.

use std::time::Duration;

use mrtr::prelude::*;
use mrtr::{Completing, ContentBlock, PromptResult, Request, ResourceContents, Response, Role};
use mrtr_tests::{Peer, accept, decline, frame};
use serde_json::{Value, json};

use super::examples::{notify_changes, prompt_that_asks, resource_that_asks};

async fn ask(peer: &Peer, method: &str, params: Value) -> Value {
    let raw = peer.request(method, params).await;
    serde_json::from_str(&raw).expect("a response is JSON")
}

#[tokio::test]
async fn a_prompt_asks_and_becomes_messages() {
    let peer = Peer::of(prompt_that_asks::server());
    let listed = ask(&peer, "prompts/list", json!({})).await;
    assert_eq!(
        listed["result"]["prompts"],
        json!([{
            "name": "review",
            "title": "Review code",
            "description": "Reviews a piece of code.",
            "arguments": [
                {"name": "language", "description": "The language the code is written in", "required": true},
                {"name": "most", "description": "The most remarks", "required": false},
            ],
        }])
    );
    let params = json!({"name": "review", "arguments": {"language": "Rust", "most": "3"}});
    let asked = ask(&peer, "prompts/get", params.clone()).await;
    assert_eq!(asked["result"]["resultType"], "input_required");
    let mut again = params.clone();
    again["requestState"] = asked["result"]["requestState"].clone();
    let mut no = again.clone();
    again["inputResponses"] = json!({"focus": accept(json!({"matters": "clarity"}))});
    let end = ask(&peer, "prompts/get", again).await;
    let messages = &end["result"]["messages"];
    assert_eq!(messages[0]["role"], "assistant");
    assert_eq!(
        messages[1]["content"]["text"],
        "Review my code. Look for clarity; make at most 3 remarks."
    );
    no["inputResponses"] = json!({"focus": decline()});
    let end = ask(&peer, "prompts/get", no).await;
    assert_eq!(end["error"]["code"], -32603);
    assert_eq!(end["error"]["message"], "`focus` was declined");
    assert_eq!(end["error"]["data"], json!({"ask": "focus"}));
}

#[tokio::test]
async fn arguments_of_prompts_are_checked_before_the_handler() {
    let peer = Peer::of(prompt_that_asks::server());
    for (params, said) in [
        (json!({"name": "other"}), "unknown prompt: other"),
        (
            json!({"name": "review"}),
            "the argument `language` is missing",
        ),
        (
            json!({"name": "review", "arguments": {"language": 5}}),
            "every argument of a prompt must be a string, and given once",
        ),
        (
            json!({"name": "review", "arguments": {"language": "Rust", "x": "1"}}),
            "the prompt has no argument `x`",
        ),
        (
            json!({"name": "review", "arguments": {"language": "Rust", "most": "many"}}),
            "the argument `most`: invalid digit found in string",
        ),
    ] {
        let answer = ask(&peer, "prompts/get", params).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert_eq!(answer["error"]["message"], said);
    }
}

#[tokio::test]
async fn arguments_are_completed() {
    let peer = Peer::of(prompt_that_asks::server());
    let complete = |name: &str, value: &str| {
        json!({
            "ref": {"type": "ref/prompt", "name": "review"},
            "argument": {"name": name, "value": value},
        })
    };
    let values = ask(&peer, "completion/complete", complete("language", "script")).await;
    assert_eq!(
        values["result"]["completion"],
        json!({"values": ["JavaScript", "TypeScript"], "total": 2, "hasMore": false})
    );
    let none = ask(&peer, "completion/complete", complete("most", "")).await;
    assert_eq!(none["result"]["completion"]["values"], json!([]));
    let unknown = ask(&peer, "completion/complete", complete("nothing", "")).await;
    assert_eq!(unknown["error"]["code"], -32602);
    let notes = Peer::of(resource_that_asks::server());
    let params = json!({
        "ref": {"type": "ref/resource", "uri": "notes:///note/{name}"},
        "argument": {"name": "name", "value": "mo"},
        "context": {"arguments": {"other": "x"}},
    });
    let values = ask(&notes, "completion/complete", params).await;
    assert_eq!(values["result"]["completion"]["values"], json!(["moon"]));
}

#[tokio::test]
async fn resources_are_listed_and_read() {
    let peer = Peer::of(resource_that_asks::server());
    let listed = ask(&peer, "resources/list", json!({})).await;
    assert_eq!(
        listed["result"]["resources"],
        json!([{
            "uri": "notes:///count",
            "name": "count",
            "description": "How many notes there are.",
            "mimeType": "text/plain",
        }])
    );
    let templates = ask(&peer, "resources/templates/list", json!({})).await;
    assert_eq!(
        templates["result"]["resourceTemplates"][0]["uriTemplate"],
        "notes:///note/{name}"
    );
    let read = |uri: &str| json!({ "uri": uri });
    let count = ask(&peer, "resources/read", read("notes:///count")).await;
    assert_eq!(
        count["result"]["contents"],
        json!([{"uri": "notes:///count", "mimeType": "text/plain", "text": "2"}])
    );
    assert_eq!(count["result"]["ttlMs"], 300_000);
    assert_eq!(count["result"]["cacheScope"], "public");
    let note = ask(&peer, "resources/read", read("notes:///note/milk")).await;
    assert_eq!(note["result"]["contents"][0]["text"], "Buy *milk*.");
    for uri in [
        "notes:///note/none",
        "notes:///note/..%2Fmilk",
        "notes:///other",
        "notes:///diary/soon",
    ] {
        let missing = ask(&peer, "resources/read", read(uri)).await;
        assert_eq!(missing["error"]["code"], -32602, "{missing}");
        assert_eq!(missing["error"]["data"], json!({ "uri": uri }));
    }
}

#[tokio::test]
async fn what_was_read_with_an_answer_is_kept_by_nobody() {
    let peer = Peer::of(resource_that_asks::server());
    let mut params = json!({"uri": "notes:///diary/7"});
    let asked = ask(&peer, "resources/read", params.clone()).await;
    assert_eq!(asked["result"]["resultType"], "input_required");
    assert!(asked["result"].get("ttlMs").is_none());
    params["requestState"] = asked["result"]["requestState"].clone();
    params["inputResponses"] = json!({"ok": accept(json!({"ok": true}))});
    let end = ask(&peer, "resources/read", params.clone()).await;
    assert_eq!(end["result"]["contents"][0]["text"], "Day 7: it rained.");
    assert_eq!(end["result"]["ttlMs"], 0);
    assert_eq!(end["result"]["cacheScope"], "private");
    params["uri"] = json!("notes:///diary/8");
    let stolen = ask(&peer, "resources/read", params).await;
    assert_eq!(stolen["error"]["code"], -32602, "another resource's state");
}

/// All kinds of content, on a value.
struct Gallery;

#[handlers]
impl Gallery {
    /// Shows everything.
    #[prompt]
    async fn show(&self) -> PromptResult {
        PromptResult::new()
            .description("everything")
            .with("text")
            .with(ContentBlock::image(b"png", "image/png"))
            .with((Role::Assistant, ContentBlock::audio(b"wav", "audio/wav")))
            .with(ContentBlock::resource_link("g:///1", "one"))
            .with(ContentBlock::resource_text("g:///1", "text/plain", "one"))
    }

    /// A picture.
    #[resource(
        uri = "g:///1",
        mime_type = "image/png",
        size = 3,
        audience = "user",
        priority = 0.5
    )]
    async fn picture(&self) -> Vec<u8> {
        b"png".to_vec()
    }

    /// Two parts.
    #[resource(uri = "g:///2", scope = "private", ttl = "1s")]
    async fn parts(&self) -> Vec<ResourceContents> {
        vec![
            ResourceContents::text("a").uri("g:///2/a"),
            ResourceContents::blob([0, 255])
                .uri("g:///2/b")
                .mime_type("x/y"),
        ]
    }

    /// Looks.
    #[tool]
    async fn look(&self) -> &'static str {
        "seen"
    }
}

#[tokio::test]
async fn methods_give_all_kinds_of_content() {
    let peer = Peer::of(
        Server::new("gallery", "1.0.0")
            .handlers(Gallery)
            .page_size(1),
    );
    let shown = ask(&peer, "prompts/get", json!({"name": "show"})).await;
    let kinds: Vec<&str> = shown["result"]["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .filter_map(|message| message["content"]["type"].as_str())
        .collect();
    assert_eq!(
        kinds,
        ["text", "image", "audio", "resource_link", "resource"]
    );
    assert_eq!(shown["result"]["description"], "everything");
    let picture = ask(&peer, "resources/read", json!({"uri": "g:///1"})).await;
    assert_eq!(
        picture["result"]["contents"],
        json!([{"uri": "g:///1", "mimeType": "image/png", "blob": "cG5n"}])
    );
    let parts = ask(&peer, "resources/read", json!({"uri": "g:///2"})).await;
    assert_eq!(parts["result"]["contents"][1]["uri"], "g:///2/b");
    assert_eq!(parts["result"]["cacheScope"], "private");
    assert_eq!(parts["result"]["ttlMs"], 1000);
    let first = ask(&peer, "resources/list", json!({})).await;
    assert_eq!(first["result"]["resources"][0]["size"], 3);
    assert_eq!(
        first["result"]["resources"][0]["annotations"],
        json!({"audience": ["user"], "priority": 0.5})
    );
    let cursor = first["result"]["nextCursor"].clone();
    let second = ask(&peer, "resources/list", json!({ "cursor": cursor })).await;
    assert_eq!(second["result"]["resources"][0]["uri"], "g:///2");
    assert!(second["result"].get("nextCursor").is_none());
    let bad = ask(&peer, "resources/list", json!({"cursor": "x"})).await;
    assert_eq!(bad["error"]["code"], -32602);
    let called = peer.call("look", json!({})).await;
    assert_eq!(called.text(), "seen");
}

#[tokio::test]
async fn a_server_has_the_features_that_something_was_registered_for() {
    let peer = Peer::of(prompt_that_asks::server());
    let discovered = ask(&peer, "server/discover", json!({})).await;
    assert_eq!(
        discovered["result"]["capabilities"],
        json!({"completions": {}, "logging": {}, "prompts": {}})
    );
    for method in [
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "subscriptions/listen",
    ] {
        let answer = ask(&peer, method, json!({"uri": "x:y", "notifications": {}})).await;
        assert_eq!(answer["error"]["code"], -32601, "{method}");
    }
    let board = Peer::of(notify_changes::server());
    let discovered = ask(&board, "server/discover", json!({})).await;
    assert_eq!(
        discovered["result"]["capabilities"],
        json!({
            "logging": {},
            "resources": {"listChanged": true, "subscribe": true},
            "tools": {"listChanged": true},
        })
    );
}

#[tokio::test]
async fn a_listener_is_acknowledged_told_and_sent_off() {
    let server = notify_changes::server();
    let changes = server.changes();
    let endpoint = server.build_lines().expect("the server builds");
    let listen = json!({"notifications": {
        "toolsListChanged": true,
        "promptsListChanged": true,
        "resourceSubscriptions": ["board:///text", "board:///unknown"],
    }});
    let request = frame(7, "subscriptions/listen", listen).to_string();
    let Response::Events(mut events) = endpoint.handle(Request::line(request)).await else {
        panic!("a listener gets a stream");
    };
    let mut next = async || -> Value {
        let event = tokio::time::timeout(Duration::from_secs(5), events.next()).await;
        let event = event.expect("something comes").expect("the stream goes on");
        serde_json::from_slice(&event).expect("JSON")
    };
    let meta = json!({"io.modelcontextprotocol/subscriptionId": 7});
    assert_eq!(
        next().await,
        json!({
            "jsonrpc": "2.0",
            "method": "notifications/subscriptions/acknowledged",
            "params": {
                "notifications": {
                    "toolsListChanged": true,
                    "resourceSubscriptions": ["board:///text"],
                },
                "_meta": meta,
            },
        })
    );
    assert_eq!(changes.listeners(), 1);
    changes.prompts();
    changes.resources();
    let peer = Peer::at(endpoint.clone());
    let asked = peer.call("write", json!({"text": "hi"})).await;
    let end = asked
        .answer(json!({"ok": accept(json!({"ok": true}))}))
        .await;
    assert_eq!(end.text(), "written");
    assert_eq!(
        next().await,
        json!({
            "jsonrpc": "2.0",
            "method": "notifications/resources/updated",
            "params": {"uri": "board:///text", "_meta": meta},
        })
    );
    changes.tools();
    assert_eq!(next().await["method"], "notifications/tools/list_changed");
    assert!(endpoint.drain(Duration::from_secs(1)).await);
    let cancelled = next().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], 7);
    let result = next().await;
    assert_eq!(result["id"], 7);
    assert_eq!(result["result"]["resultType"], "complete");
    assert_eq!(
        result["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        7
    );
    assert!(events.next().await.is_none());
    drop(events);
    assert_eq!(changes.listeners(), 0);
}

#[tokio::test]
async fn subscriptions_are_counted_and_checked() {
    let server = notify_changes::server().max_subscriptions(1);
    let endpoint = server.build_lines().expect("the server builds");
    let listen = |params: Value| {
        let request = frame(1, "subscriptions/listen", params).to_string();
        endpoint.handle(Request::line(request))
    };
    for params in [
        json!({}),
        json!({"notifications": []}),
        json!({"notifications": {"toolsListChanged": 1}}),
    ] {
        let Response::Json(reply) = listen(params).await else {
            panic!("refused");
        };
        assert!(String::from_utf8_lossy(reply.body()).contains("-32602"));
    }
    let first = listen(json!({"notifications": {}})).await;
    let Response::Json(busy) = listen(json!({"notifications": {}})).await else {
        panic!("one is enough");
    };
    assert_eq!(busy.status(), 503);
    drop(first);
    assert!(matches!(
        listen(json!({"notifications": {}})).await,
        Response::Events(_)
    ));
}

/// A prompt.
#[prompt]
async fn twin() -> &'static str {
    "a"
}

/// A resource at no URI.
#[resource(uri = "not a uri")]
async fn nowhere() -> &'static str {
    "a"
}

/// A template with a modifier.
#[resource(template = "x:///{+path}/{+rest}")]
async fn doubled(path: String, rest: String) -> String {
    path + &rest
}

#[test]
fn twins_and_bad_addresses_do_not_build() {
    let server = Server::new("bad", "1.0.0")
        .prompts([twin, twin])
        .resource(nowhere)
        .resources([doubled, doubled]);
    let text = server
        .build_lines()
        .expect_err("it is all wrong")
        .to_string();
    for part in [
        "two prompts are named `twin`",
        "resource `nowhere` at `not a uri`: it is no absolute URI",
        "two resources are at `x:///{+path}/{+rest}`",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[tokio::test]
async fn the_test_kit_gets_prompts_and_reads_resources() {
    let client = mrtr::testing::Client::new(prompt_that_asks::server());
    let review = client
        .prompt("review", json!({"language": "Go"}))
        .answer("focus", json!({"matters": "names"}))
        .await;
    assert!(
        review
            .text()
            .ends_with("Look for names; make at most 5 remarks.")
    );
    let client = mrtr::testing::Client::new(resource_that_asks::server());
    let diary = client.read("notes:///diary/7").yes("ok").await;
    assert_eq!(diary.text(), "Day 7: it rained.");
    let closed = client.read("notes:///diary/7").no("ok").await;
    assert_eq!(closed.error_code(), Some(-32603));
    assert_eq!(closed.text(), "the diary stays closed");
}

#[tokio::test]
async fn a_list_says_how_long_it_may_be_kept() {
    let server = mrtr::Server::new("unsure", "1").prompt(unsure);
    let peer = Peer::of(server.list_ttl(Duration::from_millis(1500)));
    for (method, list) in [
        ("prompts/list", "prompts"),
        ("server/discover", "capabilities"),
    ] {
        let listed = ask(&peer, method, json!({})).await;
        assert_eq!(listed["result"]["ttlMs"], 1500, "{listed}");
        assert!(!listed["result"][list].is_null(), "{listed}");
    }
}

/// A completing function that panics before it gives a future, and one whose future does.
fn breaks_at_once(_: Completing) -> std::future::Ready<Vec<String>> {
    panic!("secret")
}

async fn breaks_later(_: Completing) -> Vec<String> {
    panic!("secret")
}

/// Does not know what happened.
#[prompt]
async fn unsure(
    #[arg(complete = breaks_at_once)] one: Option<String>,
    #[arg(complete = breaks_later)] two: Option<String>,
) -> Result<String, ToolError> {
    let _ = (one, two);
    Err(ToolError::unknown("the archive did not answer"))
}

#[tokio::test]
async fn a_completing_function_that_panics_is_an_internal_error() {
    let peer = Peer::of(mrtr::Server::new("unsure", "1").prompt(unsure));
    for name in ["one", "two"] {
        let params = json!({
            "ref": {"type": "ref/prompt", "name": "unsure"},
            "argument": {"name": name, "value": ""},
        });
        let end = ask(&peer, "completion/complete", params).await;
        assert_eq!(end["error"]["code"], -32603);
        assert_eq!(end["error"]["message"], "internal error");
    }
}

#[tokio::test]
async fn a_prompt_that_does_not_know_fails_as_a_prompt_does() {
    let peer = Peer::of(mrtr::Server::new("unsure", "1").prompt(unsure));
    let end = ask(&peer, "prompts/get", json!({"name": "unsure"})).await;
    assert_eq!(end["error"]["code"], -32603);
    let said = end["error"]["message"].as_str().expect("a message");
    assert!(said.starts_with("the archive did not answer"), "{said}");
}
