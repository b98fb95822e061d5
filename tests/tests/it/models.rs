//! Questions to the client's model and for its roots. The revision deprecates both.

use mrtr::prelude::*;
use mrtr::{Roots, Sample, SampleTool, Sampled, Server};
use mrtr_tests::{Peer, accept, capabilities};
use serde_json::{Value, json};

#[tool]
async fn summarise(text: String) -> String {
    #[ask(sample = Sample::new(format!("Sum up: {text}")).system("Be brief.").max_tokens(50))]
    let summary: Sampled;
    format!("{} by {}", summary.text(), summary.model())
}

#[tool]
async fn add(ctx: &Ctx) -> String {
    let tool = || SampleTool::new("add", json!({ "type": "object" }));
    let first: Sampled = ctx
        .sample("first", Sample::new("1 + 2?").tool(tool()))
        .await;
    let results: Vec<_> = first
        .tool_uses()
        .map(|wanted| (wanted.clone(), "3"))
        .collect();
    let next = Sample::new("1 + 2?").after(&first, results).tool(tool());
    let second: Sampled = ctx.sample("second", next).await;
    second.text()
}

#[tool]
async fn unsound() -> String {
    #[ask(sample = Sample::new("x").max_tokens(0))]
    let said: Sampled;
    said.text()
}

#[tool]
async fn folders() -> String {
    #[ask(roots)]
    let folders: Roots;
    let names = folders.iter().map(|root| root.path().display().to_string());
    names.collect::<Vec<_>>().join(" ")
}

#[tool]
async fn all() -> String {
    #[ask(roots)]
    let folders: Option<Roots>;
    #[ask(sample = Sample::new("Hi"))]
    let said: Answer<Sampled>;
    #[ask(message = "Who?")]
    let who: String;
    format!("{} {} {who}", folders.is_some(), said.accepted().is_some())
}

fn peer() -> Peer {
    Peer::of(Server::new("models", "1").tools([summarise(), add(), unsound(), folders(), all()]))
}

fn call(tool: &str, arguments: Value, declared: Value) -> Value {
    json!({ "name": tool, "arguments": arguments, "_meta": capabilities(&declared) })
}

fn said(text: &str) -> Value {
    json!({
        "role": "assistant",
        "content": { "type": "text", "text": text },
        "model": "m-1",
        "stopReason": "endTurn"
    })
}

#[tokio::test]
async fn a_model_answers_and_is_held_to_the_shape() {
    let params = call(
        "summarise",
        json!({ "text": "Lorem." }),
        json!({ "sampling": {} }),
    );
    let asked = peer().send(params).await;
    assert_eq!(
        asked.question("summary"),
        &json!({
            "messages": [{ "role": "user", "content": [{ "type": "text", "text": "Sum up: Lorem." }] }],
            "maxTokens": 50,
            "systemPrompt": "Be brief."
        })
    );
    let wrong = json!({ "role": "assistant", "content": { "type": "film" }, "model": "m" });
    let mut again = asked.clone();
    for answer in [
        json!({ "action": "accept" }),
        wrong.clone(),
        wrong.clone(),
        wrong.clone(),
    ] {
        again = again.answer(json!({ "summary": answer })).await;
        assert_eq!(again.keys(), ["summary"], "{}", again.raw);
    }
    assert_eq!(
        again.answer(json!({ "summary": said("Ok.") })).await.text(),
        "Ok. by m-1"
    );
    let end = again.answer(json!({ "summary": wrong })).await;
    assert!(
        end.failure().contains("no valid answer to `summary`"),
        "{}",
        end.raw
    );
}

#[tokio::test]
async fn tools_of_a_model_need_their_own_capability() {
    let peer = peer();
    let declared = json!({ "sampling": {} });
    let refused = peer.send(call("add", json!({}), declared)).await;
    assert_eq!(refused.code(), -32021);
    let missing = &refused.response["error"]["data"]["requiredCapabilities"];
    assert_eq!(missing, &json!({ "sampling": { "tools": {} } }));
    let declared = json!({ "sampling": { "tools": {} } });
    let first = peer.send(call("add", json!({}), declared)).await;
    let wanted = json!({
        "role": "assistant",
        "content": [{ "type": "tool_use", "id": "u1", "name": "add", "input": { "b": 2, "a": 1 } }],
        "model": "m-1",
        "stopReason": "toolUse"
    });
    let second = first.answer(json!({ "first": wanted })).await;
    let messages = &second.question("second")["messages"];
    assert_eq!(messages[1]["content"][0]["id"], "u1");
    assert_eq!(messages[2]["content"][0]["toolUseId"], "u1");
    assert_eq!(
        second.answer(json!({ "second": said("3") })).await.text(),
        "3"
    );
}

#[tokio::test]
async fn what_no_model_can_be_asked_is_a_named_fault() {
    let end = peer()
        .send(call("unsound", json!({}), json!({ "sampling": {} })))
        .await;
    assert!(
        end.failure().contains("`said`") && end.failure().contains("max_tokens"),
        "{}",
        end.raw
    );
}

#[tokio::test]
async fn roots_are_file_addresses() {
    let asked = peer()
        .send(call("folders", json!({}), json!({ "roots": {} })))
        .await;
    assert_eq!(
        asked.result()["inputRequests"]["folders"]["method"],
        "roots/list"
    );
    let web = json!({ "roots": [{ "uri": "https://evil.example/" }] });
    let again = asked.answer(json!({ "folders": web })).await;
    assert_eq!(again.keys(), ["folders"]);
    let two = json!({ "roots": [{ "uri": "file:///a%20b", "name": "A" }, { "uri": "file:///c" }] });
    assert_eq!(
        again.answer(json!({ "folders": two })).await.text(),
        "/a b /c"
    );
}

#[tokio::test]
async fn all_kinds_go_out_together_and_are_read_by_what_was_asked() {
    let declared = json!({ "elicitation": {}, "sampling": {}, "roots": {} });
    let asked = peer().send(call("all", json!({}), declared)).await;
    assert_eq!(asked.keys(), ["folders", "said", "who"]);
    // Each answer is of a kind that another question was asked for.
    let crossed = json!({ "folders": said("x"), "said": { "roots": [] }, "who": { "roots": [] } });
    assert_eq!(
        asked.answer(crossed).await.keys(),
        ["folders", "said", "who"]
    );
    let answers = json!({
        "folders": { "roots": [] },
        "said": said("x"),
        "who": accept(json!({ "value": "Ada" }))
    });
    assert_eq!(asked.answer(answers).await.text(), "true true Ada");
    let refused = peer()
        .send(call("all", json!({}), json!({ "roots": {} })))
        .await;
    assert_eq!(
        refused.response["error"]["data"]["requiredCapabilities"],
        json!({ "elicitation": { "form": {} }, "sampling": {} })
    );
}
