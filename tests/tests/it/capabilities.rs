//! Nothing is asked that the request did not declare, and "could not ask" is never a yes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mrtr::Server;
use mrtr::prelude::*;
use mrtr_tests::{Peer, accept, capabilities, decline};
use serde_json::{Value, json};

#[tool]
async fn always(#[ask(message = "Who?")] who: String) -> String {
    who
}

/// How often bodies ran.
#[derive(Clone, Default)]
struct Runs(Arc<AtomicUsize>);

#[tool]
#[mrtr::allow(
    state_change_above_ask,
    reason = "counts the runs, which is what is tested"
)]
async fn counted(State(runs): State<Runs>) -> String {
    runs.0.fetch_add(1, Ordering::SeqCst);
    #[ask(message = "Who?")]
    let who: String;
    who
}

#[tool]
async fn sometimes(ask: bool) -> String {
    if ask {
        #[ask(message = "Who?")]
        let who: String;
        return who;
    }
    "nobody".to_owned()
}

#[tool]
async fn if_possible(#[ask(message = "Who?", if_supported)] who: Answer<String>) -> String {
    format!("{who:?}")
}

#[tool]
async fn two_steps() -> String {
    #[ask(message = "First?")]
    let first: Option<String>;
    #[ask(message = "Then? {first:?}")]
    let then: Confirm;
    format!("{first:?} {}", then.yes())
}

fn peer() -> Peer {
    Peer::of(Server::new("capabilities", "1").tools([
        always(),
        sometimes(),
        if_possible(),
        two_steps(),
    ]))
}

fn params(tool: &str, arguments: Value, declared: &Value) -> Value {
    json!({ "name": tool, "arguments": arguments, "_meta": capabilities(declared) })
}

/// What clients may declare, and whether forms are in it.
fn declarations() -> [(Value, bool); 6] {
    [
        (json!({}), false),
        (json!({ "elicitation": {} }), true),
        (json!({ "elicitation": { "form": {} } }), true),
        (json!({ "elicitation": { "url": {} } }), false),
        (json!({ "elicitation": { "form": {}, "url": {} } }), true),
        (json!({ "sampling": {}, "roots": {} }), false),
    ]
}

#[tokio::test]
async fn a_form_is_asked_of_clients_that_declare_forms_and_of_no_other() {
    for (declared, forms) in declarations() {
        let round = peer().send(params("always", json!({}), &declared)).await;
        if forms {
            assert_eq!(round.keys(), ["who"], "{declared}");
        } else {
            let missing = &round.response["error"]["data"]["requiredCapabilities"];
            assert_eq!(
                (round.code(), missing),
                (-32021, &json!({ "elicitation": { "form": {} } })),
                "{declared}"
            );
        }
    }
}

#[tokio::test]
async fn where_every_path_asks_nothing_runs_for_a_client_that_cannot_be_asked() {
    let runs = Runs::default();
    let peer = Peer::of(
        Server::new("capabilities", "1")
            .state(runs.clone())
            .tool(counted),
    );
    let unable = peer.send(params("counted", json!({}), &json!({}))).await;
    assert_eq!((unable.code(), runs.0.load(Ordering::SeqCst)), (-32021, 0));
    peer.call("counted", json!({})).await;
    assert_eq!(runs.0.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_path_that_asks_nothing_needs_no_capability() {
    let none = json!({});
    let quiet = peer()
        .send(params("sometimes", json!({ "ask": false }), &none))
        .await;
    assert_eq!(quiet.text(), "nobody");
    let asking = peer()
        .send(params("sometimes", json!({ "ask": true }), &none))
        .await;
    assert_eq!(asking.code(), -32021);
}

#[tokio::test]
async fn what_could_not_be_asked_is_its_own_value_and_never_a_no() {
    let unable = peer()
        .send(params("if_possible", json!({}), &json!({})))
        .await;
    assert_eq!(unable.text(), "Unsupported");
    let able = peer()
        .send(params(
            "if_possible",
            json!({}),
            &json!({ "elicitation": {} }),
        ))
        .await;
    assert_eq!(
        able.answer(json!({ "who": decline() })).await.text(),
        "Declined"
    );
}

#[tokio::test]
async fn unsupported_is_not_remembered() {
    let peer = peer();
    let unable = peer
        .send(params("if_possible", json!({}), &json!({})))
        .await;
    assert_eq!(unable.text(), "Unsupported");
    let asked = peer
        .send(params(
            "if_possible",
            json!({}),
            &json!({ "elicitation": {} }),
        ))
        .await;
    assert_eq!(asked.keys(), ["who"]);
}

#[tokio::test]
async fn capabilities_of_every_round_count_and_sealed_answers_need_none() {
    for declares_second in [true, false] {
        for declares_third in [true, false] {
            for first in [decline(), accept(json!({ "value": "a" }))] {
                let declared = |yes: bool| {
                    capabilities(&if yes {
                        json!({ "elicitation": {} })
                    } else {
                        json!({})
                    })
                };
                let peer = peer();
                let asked = peer.call("two_steps", json!({})).await;
                let mut params = asked.next(json!({ "first": first }));
                params["_meta"] = declared(declares_second);
                let second = peer.send(params).await;
                if !declares_second {
                    assert_eq!(second.code(), -32021, "{}", second.raw);
                    continue;
                }
                assert_eq!(second.keys(), ["then"], "the sealed no stays a no");
                let mut params = second.next(json!({ "then": accept(json!({ "ok": true })) }));
                params["_meta"] = declared(declares_third);
                let end = peer.send(params).await;
                assert!(
                    end.text().ends_with("true"),
                    "an answered question needs no capability: {}",
                    end.raw
                );
            }
        }
    }
}

#[tokio::test]
async fn one_request_tells_nothing_about_the_next_on_the_same_pipe() {
    let peer = peer();
    let able = peer
        .send(params("always", json!({}), &json!({ "elicitation": {} })))
        .await;
    assert_eq!(able.keys(), ["who"]);
    let unable = peer.send(params("always", json!({}), &json!({}))).await;
    assert_eq!(unable.code(), -32021);
}
