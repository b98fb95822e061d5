//! The example server, tool by tool.

use mrtr_examples::travel_desk::{Desk, server_of};
use mrtr_tests::{Peer, Round, accept, cancel, decline};
use serde_json::{Value, json};

fn desk() -> (Desk, Peer) {
    let desk = Desk::open();
    (desk.clone(), Peer::of(server_of(desk)))
}

fn traveller() -> Value {
    accept(json!({ "name": "Ada", "email": "ada@example.org", "seat": "Aisle" }))
}

fn yes() -> Value {
    accept(json!({ "ok": true }))
}

fn value(value: impl Into<Value>) -> Value {
    accept(json!({ "value": value.into() }))
}

#[tokio::test]
async fn whoami_greets_by_name_or_as_a_stranger() {
    let asked = desk().1.call("whoami", json!({})).await;
    assert_eq!(asked.keys(), ["who"]);
    let greeted = asked
        .answer(json!({ "who": accept(json!({ "name": "Ada" })) }))
        .await;
    assert_eq!(greeted.text(), "Hello, Ada!");
    for no in [decline(), cancel()] {
        assert_eq!(
            asked.answer(json!({ "who": no })).await.text(),
            "Hello, stranger!"
        );
    }
}

#[tokio::test]
async fn book_asks_who_then_shows_the_price_and_books_once() {
    let (desk, peer) = desk();
    let asked = peer.call("book", json!({ "flight": "LH123" })).await;
    let price = asked.answer(json!({ "who": traveller() })).await;
    assert_eq!(price.message("ok"), "Book LH123 for Ada at 180 EUR?");
    assert_eq!(desk.count(), 0);
    let end = price.answer(json!({ "ok": yes() })).await;
    assert!(end.text().contains("Booked LH123 for Ada"), "{}", end.raw);
    assert_eq!(
        end.result()["structuredContent"]["confirmation"],
        "Booked LH123 for Ada, on the aisle, at 180 EUR"
    );
    assert_eq!(desk.count(), 1);
    price.answer(json!({ "ok": yes() })).await;
    assert_eq!(
        desk.count(),
        1,
        "the same final round again has the same idempotency key"
    );
}

#[tokio::test]
async fn book_without_consent_books_nothing() {
    let (desk, peer) = desk();
    for no in [decline(), cancel(), accept(json!({ "ok": false }))] {
        let asked = peer.call("book", json!({ "flight": "LH123" })).await;
        let price = asked.answer(json!({ "who": traveller() })).await;
        assert_eq!(
            price.answer(json!({ "ok": no })).await.failure(),
            "not booked"
        );
    }
    let nowhere = peer.call("book", json!({ "flight": "nowhere" })).await;
    assert_eq!(nowhere.failure(), "there is no flight nowhere");
    assert_eq!(desk.count(), 0);
}

/// Answers whatever `trip` asks.
fn plan(round: &Round) -> Value {
    let answers = round.keys().into_iter().map(|key| {
        let answer = match key {
            "party" => accept(json!({ "size": 2 })),
            "seat" => value("Window"),
            "nights" => value(3),
            "breakfast" => value(true),
            "wish" => decline(),
            "ok" => yes(),
            _ if key.starts_with("guest-") => value(format!("Guest {}", &key[6..])),
            _ if key.starts_with("meal-") => value("vegan"),
            _ => panic!("an unknown question `{key}`"),
        };
        (key.to_owned(), answer)
    });
    Value::Object(answers.collect())
}

#[tokio::test]
async fn trip_asks_in_every_way_there_is() {
    let (desk, peer) = desk();
    let mut round = peer.call("trip", json!({ "to": "Rome" })).await;
    let mut rounds = Vec::new();
    while !round.is_over() {
        rounds.push(round.keys().join(" "));
        let answers = plan(&round);
        round = round.answer(answers).await;
    }
    let expected = [
        "party seat",
        "breakfast nights",
        "wish",
        "guest-1",
        "guest-2",
        "meal-1 meal-2",
        "ok",
    ];
    assert_eq!(rounds, expected);
    let trip = &round.result()["structuredContent"];
    assert_eq!(
        trip["guests"][1],
        json!({ "name": "Guest 2", "meal": "vegan" }),
        "{}",
        round.raw
    );
    assert_eq!(
        trip["confirmation"],
        "Booked Rome: 3 nights with breakfast, seats by the window"
    );
    assert_eq!(desk.count(), 1);
}

#[tokio::test]
async fn feedback_shows_a_field_of_every_kind_and_takes_them_back() {
    let asked = desk().1.call("feedback", json!({})).await;
    let fields = asked.schema("form")["properties"].clone();
    let kinds = [
        (
            "headline",
            json!({ "type": "string", "minLength": 3, "maxLength": 60, "title": "In a few words", "description": "The headline that others read first." }),
        ),
        (
            "email",
            json!({ "type": "string", "format": "email", "title": "Where to reach you" }),
        ),
        (
            "page",
            json!({ "type": "string", "format": "uri", "title": "Your own page about it" }),
        ),
        (
            "left",
            json!({ "type": "string", "format": "date", "title": "The day you left" }),
        ),
        (
            "landed",
            json!({ "type": "string", "format": "date-time", "title": "When you landed" }),
        ),
        (
            "stars",
            json!({ "type": "integer", "minimum": 1, "maximum": 5, "title": "Stars" }),
        ),
        (
            "delay",
            json!({ "type": "number", "minimum": 0, "maximum": 48, "default": 0, "title": "Hours of delay" }),
        ),
        (
            "again",
            json!({ "type": "boolean", "title": "Would you fly again?" }),
        ),
        (
            "purpose",
            json!({ "type": "string", "enum": ["work", "leisure"], "default": "leisure", "title": "What for" }),
        ),
        (
            "cabin",
            json!({ "type": "string", "oneOf": [{ "const": "Economy", "title": "Economy class" }, { "const": "Business", "title": "Business class" }], "title": "Where you sat" }),
        ),
        (
            "good",
            json!({ "type": "array", "maxItems": 3, "items": { "anyOf": [{ "const": "Crew", "title": "The crew" }, { "const": "Legroom", "title": "The legroom" }, { "const": "Price", "title": "The price" }] }, "title": "What was good" }),
        ),
        (
            "served",
            json!({ "type": "array", "items": { "type": "string", "enum": ["coffee", "tea", "sandwich"] }, "default": [], "title": "What was served" }),
        ),
    ];
    for (name, expected) in &kinds {
        assert!(
            same(&fields[*name], expected),
            "{name}: {}\nexpected {expected}",
            fields[*name]
        );
    }
    assert_eq!(
        fields.as_object().map(serde_json::Map::len),
        Some(kinds.len())
    );
    let content = json!({
        "headline": "Fine", "email": "ada@example.org", "page": "https://example.org/a", "left": "2026-07-28",
        "landed": "2026-07-28T10:00:00Z", "stars": 5, "delay": 1.5, "again": true, "purpose": "work",
        "cabin": "Business", "good": ["Crew", "Price"], "served": ["tea"],
    });
    let end = asked
        .answer(json!({ "form": accept(content.clone()) }))
        .await;
    assert_eq!(end.result()["structuredContent"], content, "{}", end.raw);
}

/// Equality of JSON values with numbers by value: `0` is `0.0`.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}

#[tokio::test]
async fn a_flight_is_two_letters_and_some_digits() {
    let (desk, _) = desk();
    assert!(desk.quote("LH123").await.is_ok());
    for wrong in ["LH+5", "LH", "lh1", "L12", "LH-1", "LHX1", ""] {
        assert!(desk.quote(wrong).await.is_err(), "{wrong}");
    }
}
