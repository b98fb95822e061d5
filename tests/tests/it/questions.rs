//! What an answer may be: refusals, invalid content, and what is no answer at all.

#![allow(dead_code, reason = "what a form holds is read by its `Debug` text")]

use mrtr::Server;
use mrtr::prelude::*;
use mrtr_tests::{Peer, accept, cancel, decline};
use serde_json::{Value, json};

/// A form with a rule on every field.
#[derive(Debug, Deserialize, JsonSchema, Form)]
struct Person {
    #[schemars(length(min = 1, max = 10))]
    name: String,
    #[schemars(range(min = 18, max = 99))]
    age: u8,
    #[schemars(email)]
    email: Option<String>,
    #[serde(default)]
    color: Color,
    #[serde(default = "half")]
    ratio: f64,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema, Form)]
enum Color {
    #[default]
    Red,
    Green,
}

fn half() -> f64 {
    0.5
}

/// A form whose fields all have a default.
#[derive(Debug, Deserialize, JsonSchema, Form)]
struct Settings {
    #[serde(default)]
    color: Color,
    #[serde(default = "half")]
    ratio: f64,
}

/// A form that is only a button.
#[derive(Debug, Deserialize, JsonSchema, Form)]
struct Nothing {}

/// A form with the members of the envelope around it.
#[derive(Debug, Deserialize, JsonSchema, Form)]
struct Envelope {
    action: String,
    content: String,
}

#[tool]
async fn required(#[ask(message = "Who?")] who: Person) -> String {
    format!("{who:?}")
}

#[tool]
async fn optional(#[ask(message = "Who?")] who: Option<Person>) -> String {
    format!("{who:?}")
}

#[tool]
async fn full(#[ask(message = "Who?")] who: Answer<Person>) -> String {
    format!("{who:?}")
}

#[tool]
async fn settings(#[ask(message = "Which?")] who: Settings) -> String {
    format!("{who:?}")
}

#[tool]
async fn button(#[ask(message = "Ready?")] who: Answer<Nothing>) -> String {
    format!("{who:?}")
}

#[tool]
async fn envelope(#[ask(message = "What?")] who: Envelope) -> String {
    format!("{who:?}")
}

#[tool]
async fn confirm(#[ask(message = "Really?")] who: Confirm) -> String {
    format!("{}", who.yes())
}

fn peer() -> Peer {
    Peer::of(Server::new("questions", "1").tools([
        required(),
        optional(),
        full(),
        settings(),
        button(),
        envelope(),
        confirm(),
    ]))
}

fn ada() -> Value {
    json!({ "name": "Ada", "age": 36 })
}

const ADA: &str = "Person { name: \"Ada\", age: 36, email: None, color: Red, ratio: 0.5 }";

/// Calls `tool` and answers its question once.
async fn once(tool: &str, answer: Value) -> mrtr_tests::Round {
    let asked = peer().call(tool, json!({})).await;
    asked.answer(json!({ "who": answer })).await
}

#[tokio::test]
async fn a_no_to_a_required_question_ends_the_call_and_names_it() {
    for no in [decline(), cancel()] {
        let end = once("required", no).await;
        assert!(
            end.is_over() && end.failure().contains("`who`"),
            "{}",
            end.raw
        );
    }
}

#[tokio::test]
async fn a_no_is_a_value_where_the_type_has_room_for_it() {
    assert_eq!(once("optional", decline()).await.text(), "None");
    assert_eq!(once("optional", cancel()).await.text(), "None");
    assert_eq!(once("full", decline()).await.text(), "Declined");
    assert_eq!(once("full", cancel()).await.text(), "Cancelled");
}

#[tokio::test]
async fn what_comes_with_a_no_never_reaches_the_handler() {
    for (action, word) in [("decline", "Declined"), ("cancel", "Cancelled")] {
        for content in [json!({ "x": 1 }), ada(), Value::Null, json!("name")] {
            let end = once("full", json!({ "action": action, "content": content })).await;
            assert_eq!(end.text(), word, "{content}");
        }
    }
}

#[tokio::test]
async fn an_accept_without_content_is_an_empty_form() {
    for empty in [
        json!({ "action": "accept" }),
        json!({ "action": "accept", "content": null }),
    ] {
        let again = once("required", empty.clone()).await;
        assert!(again.message("who").contains("`name`"), "{}", again.raw);
        assert_eq!(
            once("button", empty.clone()).await.text(),
            "Accepted(Nothing)"
        );
        assert_eq!(
            once("settings", empty).await.text(),
            "Settings { color: Red, ratio: 0.5 }"
        );
    }
    assert_eq!(
        once("button", accept(json!({}))).await.text(),
        "Accepted(Nothing)"
    );
}

#[tokio::test]
async fn defaults_fill_in_what_is_missing_and_nothing_else() {
    assert_eq!(once("required", accept(ada())).await.text(), ADA);
    let some = once("settings", accept(json!({ "ratio": 1.5 }))).await;
    assert_eq!(some.text(), "Settings { color: Red, ratio: 1.5 }");
    let confirmed = once("confirm", accept(json!({}))).await;
    assert!(
        !confirmed.is_over(),
        "an empty accept is no yes: {}",
        confirmed.raw
    );
}

#[tokio::test]
async fn a_confirmation_is_a_yes_only_when_it_says_so() {
    assert_eq!(
        once("confirm", accept(json!({ "ok": true }))).await.text(),
        "true"
    );
    assert_eq!(
        once("confirm", accept(json!({ "ok": false }))).await.text(),
        "false"
    );
    assert_eq!(once("confirm", decline()).await.text(), "false");
    assert_eq!(once("confirm", cancel()).await.text(), "false");
    for unclear in [
        json!({ "ok": "true" }),
        json!({ "ok": 1 }),
        json!({ "ok": null }),
        json!({ "yes": true }),
    ] {
        let again = once("confirm", accept(unclear)).await;
        assert!(again.message("who").contains("`ok`"), "{}", again.raw);
    }
}

#[tokio::test]
async fn the_form_is_the_content_and_not_the_envelope_around_it() {
    let end = once("envelope", accept(json!({ "action": "x", "content": "y" }))).await;
    assert_eq!(end.text(), "Envelope { action: \"x\", content: \"y\" }");
}

#[tokio::test]
async fn what_is_no_answer_is_asked_again_and_counts_as_no_try() {
    let mut round = peer().call("required", json!({})).await;
    let question = round.message("who").to_owned();
    for nonsense in [
        Value::Null,
        json!(12345),
        json!("yes"),
        json!([]),
        json!({ "action": "maybe" }),
    ] {
        round = round.answer(json!({ "who": nonsense })).await;
        assert_eq!(
            round.message("who"),
            question,
            "no reason is given for what is no answer"
        );
    }
    let end = round.answer(json!({ "who": accept(ada()) })).await;
    assert_eq!(end.text(), ADA);
}

#[tokio::test]
async fn answers_that_are_no_object_are_refused() {
    let asked = peer().call("required", json!({})).await;
    for wrong in [json!([]), json!("x"), json!(5), json!(true)] {
        let refused = asked.answer(wrong.clone()).await;
        assert_eq!(refused.code(), -32602, "{wrong}: {}", refused.raw);
    }
    let absent = asked.answer(Value::Null).await;
    assert_eq!(absent.keys(), ["who"]);
}

#[tokio::test]
async fn answers_to_other_keys_are_passed_over() {
    let asked = peer().call("required", json!({})).await;
    let end = asked
        .answer(json!({ "who": accept(ada()), "more": accept(json!({})), "": null, "a b": 1 }))
        .await;
    assert_eq!(end.text(), ADA);
}

#[tokio::test]
async fn an_invalid_answer_is_asked_again_with_field_and_rule_but_never_the_value() {
    let table = [
        (
            json!({ "name": "Ada", "age": 3 }),
            "`age` must be at least 18",
        ),
        (
            json!({ "name": "Ada", "age": 100 }),
            "`age` must be at most 99",
        ),
        (json!({ "name": "Ada", "age": 18.5 }), "`age`"),
        (json!({ "name": "Ada", "age": "36" }), "`age`"),
        (json!({ "name": "", "age": 36 }), "`name`"),
        (json!({ "name": "Hieronymus B", "age": 36 }), "`name`"),
        (json!({ "age": 36 }), "`name`"),
        (json!({ "name": null, "age": 36 }), "`name`"),
        (
            json!({ "name": "Ada", "age": 36, "email": "xyzzy" }),
            "`email`",
        ),
        (
            json!({ "name": "Ada", "age": 36, "color": "Blue-xyzzy" }),
            "`color`",
        ),
        (
            json!({ "name": "Ada", "age": 36, "ratio": "xyzzy" }),
            "`ratio`",
        ),
        (json!({ "name": { "xyzzy": 1 }, "age": 36 }), "`name`"),
    ];
    for (content, rule) in table {
        let asked = peer().call("required", json!({})).await;
        let again = asked
            .answer(json!({ "who": accept(content.clone()) }))
            .await;
        let message = again.message("who");
        assert!(message.contains(rule), "{content}: {message}");
        assert!(
            message.ends_with("Who?") && !message.contains("xyzzy"),
            "{content}: {message}"
        );
        let end = again.answer(json!({ "who": accept(ada()) })).await;
        assert_eq!(end.text(), ADA, "{content}");
    }
}

#[tokio::test]
async fn a_client_that_keeps_answering_wrongly_is_asked_four_times_in_all() {
    let mut round = peer().call("required", json!({})).await;
    let mut prompts = 0;
    while !round.is_over() {
        prompts += 1;
        round = round
            .answer(json!({ "who": accept(json!({ "name": "Ada", "age": 3 })) }))
            .await;
    }
    assert_eq!(prompts, 4, "the question and three more tries");
    assert!(round.failure().contains("`who`"), "{}", round.raw);
}

#[tokio::test]
async fn a_whole_number_may_be_written_as_a_decimal_and_a_decimal_keeps_its_part() {
    let raw = r#"{"name":"Ada","age":30.0,"ratio":1.5}"#;
    let content: Value = serde_json::from_str(raw).expect("JSON");
    let end = once("required", accept(content)).await;
    assert!(
        end.text().contains("age: 30,") && end.text().contains("ratio: 1.5"),
        "{}",
        end.text()
    );
}
