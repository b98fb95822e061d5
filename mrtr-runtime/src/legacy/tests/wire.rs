//! The frames of older revisions, byte for byte where we choose them, and what differs between eras.

use serde_json::{Value, json};

use super::line::Client;
use super::*;
use crate::__private::{PromptDef, ResourceDef};
use crate::fixture::request;
use crate::prompt::{PromptMessage, PromptResult};
use crate::resource::ResourceContents;

/// Every place where two JSON values differ, by its path.
fn differences(path: &str, modern: &Value, older: &Value, out: &mut Vec<String>) {
    match (modern, older) {
        (Value::Object(left), Value::Object(right)) => {
            let names: std::collections::BTreeSet<_> = left.keys().chain(right.keys()).collect();
            for name in names {
                let path = format!("{path}/{name}");
                match (left.get(name), right.get(name)) {
                    (Some(left), Some(right)) => differences(&path, left, right, out),
                    (Some(_), None) => out.push(format!("- {path}")),
                    _ => out.push(format!("+ {path}")),
                }
            }
        }
        (left, right) if left != right => out.push(format!("! {path}")),
        _ => {}
    }
}

fn diff(modern: &Value, older: &Value) -> Vec<String> {
    let mut out = Vec::new();
    differences("", modern, older, &mut out);
    out
}

#[tokio::test]
async fn one_tool_differs_between_the_eras_in_the_envelope_only() {
    let mut client = Client::connect(legacy_server(&traces()));
    let arguments = json!({"name": "close_ticket", "arguments": {"ticket": 1}});
    let modern_list = client.ask(&request(1, "tools/list", json!({}))).await;
    let modern_asked = client
        .ask(&request(2, "tools/call", arguments.clone()))
        .await;
    let mut retry = arguments;
    retry["requestState"] = modern_asked["result"]["requestState"].clone();
    retry["inputResponses"] = json!({"confirm": yes()});
    let modern_done = client.ask(&request(3, "tools/call", retry)).await;

    client.ask(&initialize("2025-11-25")).await;
    client.send(&initialized()).await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let older_list = client.ask(&list).await;
    let question = client
        .ask(&call(3, "close_ticket", json!({"ticket": 1})))
        .await;
    let older_done = client.ask(&reply(&question, yes())).await;

    let removed = [
        "- /result/_meta",
        "- /result/cacheScope",
        "- /result/resultType",
        "- /result/ttlMs",
    ];
    assert_eq!(diff(&modern_list, &older_list), removed);
    let input_request = &modern_asked["result"]["inputRequests"]["confirm"];
    // The SDK gives each of its requests a progress token.
    let added = ["+ /id", "+ /jsonrpc", "+ /params/_meta"];
    assert_eq!(diff(input_request, &question), added);
    assert_eq!(
        diff(&modern_done, &older_done),
        ["- /result/_meta", "- /result/resultType"]
    );
}

#[tokio::test]
async fn the_frames_of_a_call_are_those_of_the_specification() {
    let mut client = Client::connect(legacy_server(&traces()).instructions("Ticket tools."));
    let opened = client.ask(&initialize("2025-11-25")).await;
    assert_eq!(
        opened,
        json!({"jsonrpc": "2.0", "id": 0, "result": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"logging": {}, "tools": {}},
            "serverInfo": {"name": "test", "version": "1.0.0"},
            "instructions": "Ticket tools."
        }})
    );
    client.send(&initialized()).await;
    let mut question = client
        .ask(&call(1, "close_ticket", json!({"ticket": 4711})))
        .await;
    question["params"].as_object_mut().unwrap().remove("_meta");
    assert_eq!(
        question["params"],
        json!({"mode": "form", "message": "Close ticket 4711?", "requestedSchema": {
            "type": "object",
            "properties": {"ok": question["params"]["requestedSchema"]["properties"]["ok"]},
            "required": ["ok"]
        }})
    );
    assert_eq!(
        question["params"]["requestedSchema"]["properties"]["ok"]["type"],
        "boolean"
    );
    assert_eq!(
        client.ask(&reply(&question, yes())).await,
        json!({"jsonrpc": "2.0", "id": 1,
            "result": {"content": [{"type": "text", "text": "closed"}]}})
    );
}

#[tokio::test]
async fn the_oldest_revision_is_opened_in_its_own_words() {
    let mut client = Client::connect(legacy_server(&traces()));
    let opened = client.ask(&initialize("2024-11-05")).await;
    assert_eq!(
        opened["result"],
        json!({
            "protocolVersion": "2024-11-05",
            "capabilities": {"logging": {}, "tools": {}},
            "serverInfo": {"name": "test", "version": "1.0.0"}
        })
    );
}

#[tokio::test]
async fn prompts_and_resources_ask_as_tools_do() {
    let prompt = PromptDef::new("greet").handler(|ctx: Ctx, _| async move {
        let name: String = ctx.ask("name", "Whom?").await;
        Ok(PromptResult::new().with(PromptMessage::user(format!("Greet {name}."))))
    });
    let resource = ResourceDef::at("secret", "vault://a").handler(|ctx: Ctx, _| async move {
        let ok: Confirm = ctx.ask("ok", "Show it?").await;
        let text = if ok.yes() { "shown" } else { "hidden" };
        Ok(vec![ResourceContents::text(text)])
    });
    let server = legacy_server(&traces()).prompt(prompt).resource(resource);
    let mut client = Client::open(server, "2025-11-25").await;
    let of = |id: u64, method: &str, params: Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let question = client
        .ask(&of(1, "prompts/get", json!({"name": "greet"})))
        .await;
    assert_eq!(asked(&question), "Whom?");
    let got = client.ask(&reply(&question, value("Ada"))).await;
    assert_eq!(
        got["result"]["messages"][0]["content"]["text"], "Greet Ada.",
        "{got}"
    );
    let question = client
        .ask(&of(2, "resources/read", json!({"uri": "vault://a"})))
        .await;
    let got = client.ask(&reply(&question, yes())).await;
    assert_eq!(got["result"]["contents"][0]["text"], "shown", "{got}");
    assert!(got["result"].get("ttlMs").is_none(), "{got}");
    // A no where there is no result to say it in is an error that names the ask.
    let question = client
        .ask(&of(3, "prompts/get", json!({"name": "greet"})))
        .await;
    let got = client
        .ask(&reply(&question, json!({"action": "decline"})))
        .await;
    assert_eq!(got["error"]["code"], -32603, "{got}");
    assert_eq!(got["error"]["data"]["ask"], "name", "{got}");
    let gone = client
        .ask(&of(4, "resources/read", json!({"uri": "vault://none"})))
        .await;
    assert_eq!(gone["error"]["code"], -32002, "{gone}");
    assert_eq!(gone["error"]["data"]["uri"], "vault://none");
    for (id, method, member) in [
        (5, "prompts/list", "prompts"),
        (6, "resources/list", "resources"),
        (7, "resources/templates/list", "resourceTemplates"),
    ] {
        let listed = client.ask(&of(id, method, json!({}))).await;
        assert!(listed["result"][member].is_array(), "{listed}");
    }
}
