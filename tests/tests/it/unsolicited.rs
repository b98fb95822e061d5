//! An answer counts only if it was asked for.

use mrtr::Server;
use mrtr::prelude::*;
use mrtr_tests::{Peer, accept, decline};
use serde_json::{Map, Value, json};

#[tool]
async fn hello(#[ask(message = "Who?")] who: String) -> String {
    format!("hello {who}")
}

#[tool]
async fn two_steps() -> String {
    #[ask(message = "First?")]
    let first: String;
    #[ask(message = "Second, after {first}?")]
    let second: String;
    format!("{first} {second}")
}

#[tool]
async fn harmless(
    #[ask(message = "Which language?", accept_unsolicited)] language: String,
) -> String {
    format!("speaks {language}")
}

fn peer() -> Peer {
    Peer::of(Server::new("unsolicited", "1").tools([hello(), two_steps(), harmless()]))
}

fn word(word: &str) -> Value {
    accept(json!({ "value": word }))
}

#[tokio::test]
async fn an_answer_in_the_first_request_is_not_used() {
    for answer in [word("Eve"), decline(), Value::Null, json!(1), json!([1])] {
        let params =
            json!({ "name": "hello", "arguments": {}, "inputResponses": { "who": answer } });
        let asked = peer().send(params).await;
        assert_eq!(asked.keys(), ["who"], "{}", asked.raw);
        assert_eq!(
            asked.answer(json!({ "who": word("Ada") })).await.text(),
            "hello Ada"
        );
    }
}

#[tokio::test]
async fn an_answer_to_a_question_that_comes_later_is_not_kept_for_it() {
    let asked = peer().call("two_steps", json!({})).await;
    let then = asked
        .answer(json!({ "first": word("a"), "second": word("Eve") }))
        .await;
    assert_eq!(then.keys(), ["second"]);
    assert_eq!(
        then.answer(json!({ "second": word("b") })).await.text(),
        "a b"
    );
}

#[tokio::test]
async fn a_sealed_answer_stays_when_another_one_is_sent_for_it() {
    let asked = peer().call("two_steps", json!({})).await;
    let then = asked.answer(json!({ "first": word("a") })).await;
    for other in [word("Eve"), decline(), Value::Null] {
        let end = then
            .answer(json!({ "first": other, "second": word("b") }))
            .await;
        assert_eq!(end.text(), "a b");
    }
}

#[tokio::test]
async fn an_older_state_does_not_let_a_later_answer_in() {
    let peer = peer();
    let asked = peer.call("two_steps", json!({})).await;
    let _then = asked.answer(json!({ "first": word("a") })).await;
    let back = asked.answer(json!({ "second": word("Eve") })).await;
    assert_eq!(back.keys(), ["first"], "{}", back.raw);
}

#[tokio::test]
async fn a_harmless_question_takes_an_answer_nobody_asked_for_when_it_is_valid() {
    let send = async |answer: Value| {
        let params = json!({ "name": "harmless", "arguments": {}, "inputResponses": { "language": answer } });
        peer().send(params).await
    };
    assert_eq!(send(word("Latin")).await.text(), "speaks Latin");
    assert_eq!(
        send(accept(json!({ "value": 5 }))).await.keys(),
        ["language"]
    );
    assert_eq!(send(Value::Null).await.keys(), ["language"]);
}

#[tokio::test]
async fn heaps_of_answers_are_refused_or_dropped_without_being_kept() {
    let peer = peer();
    let asked = peer.call("hello", json!({})).await;
    let usual = asked.state().len();

    let many: Map<_, _> = (0..10_000).map(|n| (format!("k{n}"), word("x"))).collect();
    assert_eq!(asked.answer(Value::Object(many)).await.code(), -32602);

    let some: Map<_, _> = (0..60).map(|n| (format!("k{n}"), word("x"))).collect();
    let again = asked.answer(Value::Object(some)).await;
    assert_eq!((again.keys(), again.state().len()), (vec!["who"], usual));

    let large = asked
        .answer(json!({ "who": word(&"x".repeat(100_000)) }))
        .await;
    assert_eq!(
        (large.keys(), large.state().len()),
        (vec!["who"], usual),
        "too large is no answer"
    );

    let mut deep = json!(1);
    for _ in 0..40 {
        deep = json!([deep]);
    }
    let deep = asked.answer(json!({ "who": accept(deep) })).await;
    assert_eq!((deep.keys(), deep.state().len()), (vec!["who"], usual));
}
