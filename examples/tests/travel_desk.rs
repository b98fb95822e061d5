//! The travel desk's tests, written with mrtr's test kit. Copy what you need.
//!
//! Each test makes a desk of its own, so that they can run side by side.

use mrtr::testing::{Answers, Cap, Client, Move, Transcript, Verdict, json};
use mrtr_examples::travel_desk::{Desk, server_of};
use serde::Deserialize;
use serde_json::Value;

/// A desk, and a client of the server over it. An effect in a round that only asks fails the test.
fn desk() -> (Desk, Client) {
    let desk = Desk::open();
    let counted = desk.clone();
    let client = Client::new(server_of(desk.clone())).counting(move || counted.count());
    (desk, client)
}

/// What a test wants to know of a booking.
#[derive(Deserialize)]
struct Booked {
    confirmation: String,
}

fn ada() -> Value {
    json!({ "name": "Ada", "email": "ada@example.com", "seat": "Window" })
}

#[tokio::test]
async fn a_flight_is_booked_after_two_questions() {
    let (desk, client) = desk();
    let booked = client
        .call("book", json!({ "flight": "LH123" }))
        .answer("who", ada())
        .yes("ok")
        .await;
    booked.assert_asked(&[&["who"], &["ok"]]);
    assert_eq!(
        booked.messages(),
        ["Who is travelling?", "Book LH123 for Ada at 180 EUR?"]
    );
    assert_eq!(
        booked.json::<Booked>().confirmation,
        "Booked LH123 for Ada, by the window, at 180 EUR"
    );
    assert_eq!(desk.count(), 1);
}

#[tokio::test]
async fn every_kind_of_no_books_nothing() {
    let (desk, client) = desk();
    let call = || client.call("book", json!({ "flight": "LH123" }));
    for (refusal, text) in [
        (call().answer("who", ada()).no("ok"), "not booked"),
        (call().answer("who", ada()).decline("ok"), "not booked"),
        (call().answer("who", ada()).cancel("ok"), "not booked"),
        (call().decline("who"), "`who` was declined"),
        (call().cancel("who"), "`who` was cancelled"),
    ] {
        let refused = refusal.await;
        refused.assert_no_effect();
        assert_eq!((refused.is_error(), refused.text().as_str()), (true, text));
    }
    assert_eq!(desk.count(), 0);
}

#[tokio::test]
async fn a_wrong_form_is_asked_again_and_says_what_is_wrong() {
    let booked = desk()
        .1
        .call("book", json!({ "flight": "LH123" }))
        .invalid(
            "who",
            json!({ "name": "Ada", "email": "ada", "seat": "Window" }),
        )
        .answer("who", ada())
        .yes("ok")
        .await;
    booked.assert_asked(&[&["who"], &["who"], &["ok"]]);
    assert!(booked.messages()[1].contains("`email`"), "{booked}");
}

#[tokio::test]
async fn a_user_who_walks_away_has_booked_nothing() {
    let left = desk()
        .1
        .call("book", json!({ "flight": "LH123" }))
        .answer("who", ada())
        .leave("ok")
        .await;
    assert!(left.is_open());
    left.assert_no_effect();
}

#[tokio::test]
async fn a_call_goes_on_at_another_instance_but_not_for_another_user() {
    let shared = Desk::open();
    let client = {
        let shared = shared.clone();
        Client::new(move || server_of(shared.clone())).as_user("ada")
    };
    let asked = || {
        client
            .call("book", json!({ "flight": "LH123" }))
            .answer("who", ada())
    };
    let stolen = asked().as_user("eve").yes("ok").await;
    assert_eq!((stolen.error_code(), shared.count()), (Some(-32602), 0));
    let moved = asked().on_instance(2).yes("ok").await;
    assert!(moved.text().contains("Booked LH123"), "{moved}");
}

#[tokio::test]
async fn an_answer_that_comes_too_late_is_asked_for_again() {
    let call = desk()
        .1
        .call("book", json!({ "flight": "LH123" }))
        .answer("who", ada());
    let booked = call.advance(600).yes("ok").yes("ok").await;
    booked.assert_asked(&[&["who"], &["ok"], &["ok"]]);
    assert!(
        booked.observed().iter().any(|event| event == "3 ok late"),
        "{booked}"
    );
}

#[tokio::test]
async fn a_client_without_forms_is_told_before_anything_runs() {
    let client = desk().1.without(Cap::Form);
    let told = client.call("feedback", json!({})).await;
    assert_eq!(told.error_code(), Some(-32021));
    // Round 0: it is refused before a round begins.
    assert_eq!(told.observed(), ["0 ended with an error"], "nothing ran");
    // `book` looks the flight up first, and only then asks.
    let told = client.call("book", json!({ "flight": "LH123" })).await;
    assert_eq!(told.error_code(), Some(-32021));
    assert_eq!(
        told.observed(),
        ["1 who unsupported", "1 ended with an error"]
    );
}

#[tokio::test]
async fn no_attack_books_twice_or_without_a_yes() {
    let (desk, client) = desk();
    let honest = Answers::new().answer("who", ada()).yes("ok");
    let attack = client.attack("book", json!({ "flight": "LH123" }), honest, || {
        desk.count()
    });
    let report = attack
        .must(Move::AtOnce)
        .must(Move::EarlierRound)
        .must(Move::Fork)
        .await;
    assert!(
        report.rows().iter().all(|row| row.verdict == Verdict::Held),
        "{report}"
    );
}

#[tokio::test]
async fn whoami_takes_a_no_for_an_answer() {
    let (_, client) = desk();
    let call = || client.call("whoami", json!({}));
    let named = call().answer("who", json!({ "name": "Ada" })).await;
    assert_eq!(named.text(), "Hello, Ada!");
    assert_eq!(call().decline("who").await.text(), "Hello, stranger!");
}

/// A trip for two, up to the confirmation.
async fn trip(client: &Client) -> Transcript {
    client
        .call("trip", json!({ "to": "Rome" }))
        .answer("party", json!({ "size": 2 }))
        .answer("seat", "Aisle")
        .answer("nights", 3)
        .answer("breakfast", true)
        .decline("wish")
        .answer("guest-1", "Ada")
        .answer("guest-2", "Bob")
        .answer("meal-1", "vegan")
        .answer("meal-2", "any")
        .yes("ok")
        .await
}

#[tokio::test]
async fn a_trip_asks_together_what_can_be_asked_together() {
    let (desk, client) = desk();
    let planned = trip(&client).await;
    planned.assert_asked(&[
        &["party", "seat"],
        &["nights", "breakfast"],
        &["wish"],
        &["guest-1"],
        &["guest-2"],
        &["meal-1", "meal-2"],
        &["ok"],
    ]);
    let trip: Value = planned.json();
    assert_eq!(
        trip["guests"],
        json!([{ "name": "Ada", "meal": "vegan" }, { "name": "Bob", "meal": "any" }])
    );
    assert_eq!(desk.count(), 1);
}

#[tokio::test]
async fn what_clients_carry_between_the_rounds_stays_small() {
    let planned = trip(&desk().1).await;
    assert!(planned.state_chars() < 800, "{}", planned.state_chars());
}

#[tokio::test]
async fn feedback_fills_in_what_was_left_out() {
    let form = json!({
        "headline": "On time", "left": "2026-07-28", "stars": 5, "again": true,
        "cabin": "Economy", "good": ["Crew"],
    });
    let given = desk()
        .1
        .call("feedback", json!({}))
        .answer("form", form)
        .await;
    let feedback: Value = given.json();
    assert_eq!(
        (&feedback["delay"], &feedback["purpose"]),
        (&json!(0.0), &json!("leisure"))
    );
}

#[test]
fn what_a_tool_publishes_is_described_in_one_text() {
    let client = desk().1;
    let feedback = client.describe("feedback");
    assert!(
        feedback.ends_with("\ngate\n  form: for form\n"),
        "{feedback}"
    );
    let book = client.describe("book");
    assert!(book.starts_with("tool book: Book a flight\n"), "{book}");
    assert!(book.contains("has a commit"), "{book}");
}
