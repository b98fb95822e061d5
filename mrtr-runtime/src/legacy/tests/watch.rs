//! What a session is told of changes.

use serde_json::{Value, json};

use super::line::Client;
use super::*;
use crate::changes::Changes;
use crate::prompt::{PromptDef, PromptMessage, PromptResult};
use crate::resource::{ResourceContents, ResourceDef};

/// A server with a resource, and with a handle if `told`.
fn watched(told: bool) -> (Server, Option<Changes>) {
    let board = ResourceDef::at("board", "board:///text")
        .handler(|_, _| async { Ok(vec![ResourceContents::text("hello")]) });
    let private = ResourceDef::at("private", "board:///private")
        .param::<crate::Principal>()
        .handler(|_, _| async { Ok(vec![ResourceContents::text("mine")]) });
    let prompt = PromptDef::new("greet")
        .handler(|_, _| async { Ok(PromptResult::new().with(PromptMessage::user("Hello."))) });
    let server = legacy_server(&traces()).prompt(prompt);
    let server = server.resource(board).resource(private);
    let changes = told.then(|| server.changes());
    (server, changes)
}

fn about(id: u64, method: &str, uri: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"uri": uri}})
}

fn ping() -> Value {
    json!({"jsonrpc": "2.0", "id": "ping", "method": "ping"})
}

fn told(method: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": format!("notifications/{method}")})
}

#[tokio::test]
async fn a_session_is_told_of_lists_and_of_what_it_subscribed_to() {
    for revision in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
        let (server, changes) = watched(true);
        let changes = changes.unwrap();
        let mut client = Client::connect(server);
        let opened = client.ask(&initialize(revision)).await;
        let offered = &opened["result"]["capabilities"];
        assert_eq!(
            offered["resources"],
            json!({"listChanged": true, "subscribe": true}),
            "{opened}"
        );
        assert_eq!(offered["tools"], json!({"listChanged": true}), "{opened}");
        client.send(&initialized()).await;
        let subscribe = about(1, "resources/subscribe", "board:///text");
        assert_eq!(client.ask(&subscribe).await["result"], json!({}));

        changes.tools();
        assert_eq!(client.receive().await, told("tools/list_changed"));
        changes.prompts();
        assert_eq!(client.receive().await, told("prompts/list_changed"));
        changes.resources();
        assert_eq!(client.receive().await, told("resources/list_changed"));
        changes.resource("board:///other");
        changes.resource("board:///text");
        let mut updated = told("resources/updated");
        updated["params"] = json!({"uri": "board:///text"});
        assert_eq!(client.receive().await, updated);

        let unsubscribe = about(2, "resources/unsubscribe", "board:///text");
        assert_eq!(client.ask(&unsubscribe).await["result"], json!({}));
        changes.resource("board:///text");
        assert_eq!(client.ask(&ping()).await["result"], json!({}));
        client.close().await;
        until(|| changes.listeners() == 0).await;
    }
}

#[tokio::test]
async fn a_subscription_to_what_is_not_there_is_an_error() {
    let (server, _changes) = watched(true);
    let mut client = Client::open(server, "2025-11-25").await;
    for gone in ["board:///none", "nonsense", "", "board:///private"] {
        let refused = client.ask(&about(1, "resources/subscribe", gone)).await;
        assert_eq!(refused["error"]["code"], -32002, "{refused}");
        assert_eq!(refused["error"]["data"]["uri"], gone, "{refused}");
    }
    let unknown = about(2, "resources/unsubscribe", "board:///none");
    assert_eq!(client.ask(&unknown).await["result"], json!({}));
}

#[tokio::test]
async fn a_server_that_never_tells_says_so() {
    let (server, _) = watched(false);
    let mut client = Client::connect(server);
    let opened = client.ask(&initialize("2025-11-25")).await;
    assert_eq!(opened["result"]["capabilities"]["resources"], json!({}));
    client.send(&initialized()).await;
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        let refused = client.ask(&about(1, method, "board:///text")).await;
        assert_eq!(refused["error"]["code"], -32601, "{refused}");
        let message = format!("unknown method: {method}");
        assert_eq!(refused["error"]["message"], message, "{refused}");
    }
}
