//! Scripts that do not fit the tool, and what the kit says then.

use expect_test::expect;
use mrtr::testing::{Cap, Client, Recorder, json};

use super::desk::server;
use super::failure;

fn client() -> Client {
    Client::new(server(&Recorder::new()))
}

fn who() -> serde_json::Value {
    json!({ "email": "ada@example.com", "name": "Ada" })
}

#[tokio::test]
async fn a_question_without_an_answer_names_the_line_to_add() {
    let form = failure(client().call("book", json!({ "flight": "LH1" }))).await;
    expect![[r#"
        the tool `book` asked `who`, and the script has no answer to it
          Who is travelling?
            name: {"type":"string","title":"Name","minLength":1}
            email: {"type":"string","format":"email"}
        help: add `.answer("who", json!({"name":"Ada","email":"ada@example.com"}))`, or one of `.decline("who")`, `.cancel("who")`, `.leave("who")`
        so far:
          1 `who`: Who is travelling?
    "#]].assert_eq(&form);
    let confirm = client()
        .call("book", json!({ "flight": "LH1" }))
        .answer("who", who());
    expect![[r#"
        the tool `book` asked `ok`, and the script has no answer to it
          Book LH1 for Ada, ticket to ada@example.com?
            ok: {"type":"boolean"}
        help: add `.yes("ok")`, or one of `.no("ok")`, `.decline("ok")`, `.cancel("ok")`, `.leave("ok")`
        so far:
          1 `who`: Who is travelling?
            .answer("who", json!({"email":"ada@example.com","name":"Ada"}))
          2 `ok`: Book LH1 for Ada, ticket to ada@example.com?
    "#]].assert_eq(&failure(confirm).await);
    let scalar = failure(client().call("room", json!({}))).await;
    expect![[r#"
        the tool `room` asked `nights`, and the script has no answer to it
          How many nights?
            value: {"type":"integer","title":"nights","minimum":0,"maximum":255}
        help: add `.answer("nights", 1)`, or one of `.decline("nights")`, `.cancel("nights")`, `.leave("nights")`
        so far:
          1 `nights`: How many nights?
          1 `breakfast`: With breakfast?
    "#]].assert_eq(&scalar);
}

#[tokio::test]
async fn an_answer_that_is_not_taken_says_why() {
    let wrong = client()
        .call("book", json!({ "flight": "LH1" }))
        .answer("who", json!({ "email": "ada", "name": "Ada" }))
        .yes("ok");
    expect![[r#"
        the tool `book` did not take the answer to `who`, and asks again
          Please answer again: `email` must be an e-mail address.
          Who is travelling?
            name: {"type":"string","title":"Name","minLength":1}
            email: {"type":"string","format":"email"}
        help: correct the answer, such as `.answer("who", json!({"name":"Ada","email":"ada@example.com"}))`; if the test is about it, make it `.invalid("who", ..)` and let the right one follow
        so far:
          1 `who`: Who is travelling?
            .answer("who", json!({"email":"ada","name":"Ada"}))
          2 `who`: Please answer again: `email` must be an e-mail address.
            Who is travelling?
    "#]].assert_eq(&failure(wrong).await);
}

#[tokio::test]
async fn an_answer_that_is_never_asked_for_fails() {
    let more = client()
        .call("book", json!({ "flight": "LH1" }))
        .answer("who", who())
        .answer("seat", "12A")
        .yes("ok");
    expect![[r#"
        the script answers `seat`, and the tool `book` never asked it
          asked: [who] [ok]
          end:   a result: [{"type":"text","text":"{\"number\":\"LH1-1\"}"}]
        help: remove `.answer("seat", "12A")`, or look for the path on which it is asked
        so far:
          1 `who`: Who is travelling?
            .answer("who", json!({"email":"ada@example.com","name":"Ada"}))
          2 `ok`: Book LH1 for Ada, ticket to ada@example.com?
            .yes("ok")
    "#]]
    .assert_eq(&failure(more).await);
    let late_change = client().call("whoami", json!({})).as_user("bob");
    expect![[r#"
        `.as_user("bob")` stands after the last answer of the script, so no request follows it
        help: for a whole call, make the change at the client: `client.as_user("bob").call("whoami", ..)`
    "#]].assert_eq(&failure(late_change).await);
}

#[tokio::test]
async fn an_invalid_answer_is_asked_again_and_the_next_one_used() {
    let client = client();
    let booked = client
        .call("book", json!({ "flight": "LH1" }))
        .invalid("who", json!({ "email": "ada", "name": "" }))
        .silent("who")
        .answer("who", who())
        .yes("ok")
        .await;
    assert_eq!(booked.asked(), [["who"], ["who"], ["who"], ["ok"]]);
    assert!(
        booked.messages()[1].starts_with("Please answer again: "),
        "{booked}"
    );
    assert_eq!(booked.messages()[2], "Who is travelling?");
    assert_eq!(booked.effects().len(), 1);

    let gives_up = client.call("book", json!({ "flight": "LH1" }));
    let wrong = || json!({ "name": "" });
    let ended = gives_up
        .invalid("who", wrong())
        .invalid("who", wrong())
        .invalid("who", wrong());
    let ended = ended.invalid("who", wrong()).await;
    assert_eq!(
        ended.text(),
        "no valid answer to `who` after several tries; start the call again"
    );

    let taken = client
        .call("book", json!({ "flight": "LH1" }))
        .invalid("who", who())
        .no("ok");
    expect![[r#"
        the tool `book` took an answer to `who` that the script calls invalid
          {"email":"ada@example.com","name":"Ada"}
        help: the type of the ask says what is valid: `#[schemars(..)]` on its fields, or `validate = ..` on the ask
        so far:
          1 `who`: Who is travelling?
            .invalid("who", json!({"email":"ada@example.com","name":"Ada"}))
    "#]].assert_eq(&failure(taken).await);
}

#[tokio::test]
async fn a_user_can_walk_away() {
    let left = client()
        .call("book", json!({ "flight": "LH1" }))
        .answer("who", who())
        .leave("ok")
        .await;
    assert!(left.is_open() && !left.is_error());
    assert_eq!(left.asked(), [["who"], ["ok"]]);
    left.assert_no_effect();
}

#[tokio::test]
async fn the_last_round_that_may_ask_is_not_run_again() {
    let mut call = client().call("book", json!({ "flight": "LH1" }));
    for _ in 0..7 {
        call = call.silent("who");
    }
    let booked = call.answer("who", who()).yes("ok").await;
    assert_eq!(
        (booked.asked().rounds().len(), booked.is_error()),
        (9, false),
        "{booked}"
    );
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_told_before_anything_runs() {
    let told = client()
        .without(Cap::Form)
        .call("book", json!({ "flight": "LH1" }))
        .await;
    assert_eq!(told.error_code(), Some(-32021));
    assert_eq!(told.asked(), [[""; 0]; 0]);
}
