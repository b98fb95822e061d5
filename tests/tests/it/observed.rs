//! Every outcome of an ask and of a call can be seen from outside the handler.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mrtr::Server;
use mrtr::observe::EventKind;
use mrtr::prelude::*;
use mrtr_tests::{Peer, accept, cancel, capabilities, decline};
use serde_json::json;

#[tool]
async fn asks(
    /// Shown in the question
    price: u8,
    State(Surcharge(surcharge)): State<Surcharge>,
) -> Result<String, ToolError> {
    let price = price + *surcharge.lock().expect("a test failed");
    #[ask(message = "Pay {price}?")]
    let ok: Confirm;
    if ok.no() {
        return Err(ToolError::user("not paid"));
    }
    #[commit]
    pay();
    Ok("paid".to_owned())
}

fn pay() {}

#[tool]
async fn harmless(#[ask(message = "Language?", accept_unsolicited)] language: String) -> String {
    language
}

/// Added to the price.
#[derive(Clone, Default)]
struct Surcharge(Arc<Mutex<u8>>);

/// What was seen, in order.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("a test failed"))
    }
}

/// Waits for ever, after its question.
#[tool]
async fn waits() -> Result<String, ToolError> {
    #[ask(message = "Wait?")]
    let ok: Confirm;
    let _ = ok;
    std::future::pending::<()>().await;
    Ok("never".to_owned())
}

/// The same before a commit.
#[tool]
async fn waits_to_pay() -> Result<String, ToolError> {
    #[ask(message = "Wait?")]
    let ok: Confirm;
    if ok.no() {
        return Err(ToolError::user("not paid"));
    }
    std::future::pending::<()>().await;
    #[commit]
    pay();
    Ok("paid".to_owned())
}

fn peer(surcharge: &Surcharge, round_ttl: Duration) -> (Peer, Seen) {
    let seen = Seen::default();
    let sink = seen.clone();
    let server = Server::new("observed", "1")
        .state(surcharge.clone())
        .round_ttl(round_ttl)
        .tools([asks(), harmless(), waits(), waits_to_pay()])
        .time_limit(Duration::from_millis(200))
        .observe(move |event| {
            let what = match &event.kind {
                EventKind::Ask { key, outcome } => format!("{key} {outcome:?}"),
                EventKind::Refused { .. } => "Refused".to_owned(),
                other => format!("{other:?}"),
            };
            sink.0
                .lock()
                .expect("a test failed")
                .push(format!("{} {what}", event.round));
        });
    (Peer::of(server), seen)
}

#[tokio::test]
async fn each_outcome_is_one_event_with_its_round() {
    let surcharge = Surcharge::default();
    let (peer, seen) = peer(&surcharge, Duration::from_secs(60));
    let price = json!({ "price": 1 });
    for (answer, events) in [
        (
            accept(json!({ "ok": true })),
            &["2 ok Accepted", "2 Committed", "2 Ended(Result)"][..],
        ),
        (decline(), &["2 ok Declined", "2 Ended(ToolError)"]),
        (cancel(), &["2 ok Cancelled", "2 Ended(ToolError)"]),
        (accept(json!({})), &["2 ok Invalid", "2 ok Asked"]),
    ] {
        let asked = peer.call("asks", price.clone()).await;
        assert_eq!(seen.take(), ["1 ok Asked"]);
        asked.answer(json!({ "ok": answer })).await;
        assert_eq!(seen.take(), events);
    }

    let asked = peer.call("asks", price.clone()).await;
    for _ in 0..2 {
        asked.answer(json!({ "ok": decline() })).await;
    }
    let repeated = [
        "1 ok Asked",
        "2 ok Declined",
        "2 Ended(ToolError)",
        "2 Ended(ToolError)",
    ];
    assert_eq!(seen.take(), repeated, "the repeat got the recorded end");

    let asked = peer.call("asks", price).await;
    seen.take();
    *surcharge.0.lock().expect("a test failed") = 1;
    asked
        .answer(json!({ "ok": accept(json!({ "ok": true })) }))
        .await;
    assert_eq!(seen.take(), ["2 ok QuestionChanged", "2 ok Asked"]);

    let mut forged = asked.next(json!({}));
    forged["arguments"]["price"] = json!(2);
    peer.send(forged).await;
    assert_eq!(
        seen.take().len(),
        1,
        "a refusal is seen, although nothing ran"
    );
}

#[tokio::test]
async fn late_unsolicited_and_unsupported_answers_are_seen_too() {
    let (peer, seen) = peer(&Surcharge::default(), Duration::from_millis(1));
    let asked = peer.call("asks", json!({ "price": 1 })).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    seen.take();
    asked
        .answer(json!({ "ok": accept(json!({ "ok": true })) }))
        .await;
    assert_eq!(seen.take(), ["2 ok Late", "2 ok Asked"]);

    let language = json!({ "language": accept(json!({ "value": "Latin" })) });
    peer.send(json!({ "name": "harmless", "inputResponses": language }))
        .await;
    assert_eq!(seen.take(), ["1 language Unsolicited", "1 Ended(Result)"]);

    let mut retry = asked.next(json!({}));
    retry["_meta"] = capabilities(&json!({}));
    assert_eq!(peer.send(retry).await.code(), -32021);
    assert_eq!(seen.take(), ["2 ok Unsupported", "2 Ended(Error)"]);
}

/// What is told is told when the run is dropped, which may be a moment after its answer.
async fn soon(seen: &Seen, events: &[&str]) {
    let mut all = Vec::new();
    for _ in 0..200 {
        all.extend(seen.take());
        if all.len() >= events.len() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(all, events);
}

#[tokio::test]
async fn a_call_that_takes_too_long_ends_for_observers_too() {
    let (peer, seen) = peer(&Surcharge::default(), Duration::from_secs(60));
    let yes = json!({ "ok": accept(json!({ "ok": true })) });
    for (tool, said) in [
        ("waits", "the tool took too long and was stopped"),
        (
            "waits_to_pay",
            "the tool took too long and was stopped; nothing was carried out",
        ),
    ] {
        let asked = peer.call(tool, json!({})).await;
        seen.take();
        assert_eq!(asked.answer(yes.clone()).await.failure(), said);
        soon(&seen, &["2 ok Accepted", "2 Ended(ToolError)"]).await;
    }
}

#[tokio::test]
async fn a_caller_that_leaves_ends_the_call_for_observers() {
    let (peer, seen) = peer(&Surcharge::default(), Duration::from_secs(60));
    let yes = json!({ "ok": accept(json!({ "ok": true })) });
    for tool in ["waits", "waits_to_pay"] {
        let asked = peer.call(tool, json!({})).await;
        seen.take();
        let left = tokio::time::timeout(Duration::from_millis(50), asked.answer(yes.clone()));
        assert!(left.await.is_err());
        soon(&seen, &["2 ok Accepted", "2 Ended(Cancelled)"]).await;
    }
}

#[tokio::test]
async fn a_client_that_can_not_be_asked_is_seen() {
    let (peer, seen) = peer(&Surcharge::default(), Duration::from_secs(60));
    let call = json!({ "name": "waits", "arguments": {}, "_meta": capabilities(&json!({})) });
    assert_eq!(peer.send(call).await.code(), -32021);
    assert_eq!(seen.take(), ["0 Ended(Error)"]);
}
