//! What a client of 2026-07-28 may try with state and answers, and what the flow store keeps of it.

use serde_json::{Value, json};

use crate::person::Person;
use crate::world::{Client, Era, Way, World, answered, ask, end, params, ring};

const MODERN: [Way; 2] = [Way::Pipe(Era::Modern), Way::Http(Era::Modern)];

fn refused() -> Result<String, (i32, String)> {
    let text = "the requestState is not valid; start the call again";
    Err((-32602, text.to_owned()))
}

async fn modern(world: &World, way: Way) -> Client {
    world.connect(way, &Person::default()).await
}

fn yes() -> Value {
    json!({ "ok": true })
}

#[tokio::test]
async fn the_state_is_sealed_and_bound_to_call_and_arguments() {
    for way in MODERN {
        let world = World::new();
        let client = modern(&world, way).await;
        let book = params("book", json!({ "flight": "LH1" }));
        let state = ask(&client, &book).await;
        let seat = json!({ "row": 3, "window": true });
        let mut tampered = state.clone().into_bytes();
        tampered[40] ^= 1;
        let tampered = String::from_utf8(tampered).unwrap();
        let again = answered(&book, &tampered, "seat", seat.clone());
        assert_eq!(end(&client, &again).await, refused(), "{way:?}");
        let elsewhere = params("book", json!({ "flight": "LH2" }));
        let again = answered(&elsewhere, &state, "seat", seat.clone());
        assert_eq!(end(&client, &again).await, refused(), "{way:?}");
        let other_tool = params("cancel_all", json!({}));
        let again = answered(&other_tool, &state, "cancel", yes());
        assert_eq!(end(&client, &again).await, refused(), "{way:?}");
        // The same without any change goes on.
        ask(&client, &answered(&book, &state, "seat", seat)).await;
        assert_eq!(world.bookings.all(), [""; 0]);
    }
}

#[tokio::test]
async fn an_answer_to_a_question_that_was_not_asked_does_not_count() {
    for way in MODERN {
        let world = World::new();
        let client = modern(&world, way).await;
        let book = params("book", json!({ "flight": "LH1" }));
        let state = ask(&client, &book).await;
        ask(&client, &answered(&book, &state, "ok", yes())).await;
        let cancel = params("cancel_all", json!({}));
        let mut early = answered(&cancel, "", "cancel", yes());
        early.request_state = None;
        ask(&client, &early).await;
        assert_eq!(world.bookings.all(), [""; 0], "{way:?}");
    }
}

#[tokio::test]
async fn the_state_of_one_caller_is_of_no_use_to_another() {
    let world = World::new();
    let way = Way::Http(Era::Modern);
    let person = Person::default();
    let alice = world.connect_http(way, &person, Some("alice")).await;
    let bob = world.connect_http(way, &person, Some("bob")).await;
    let nobody = world.connect_http(way, &person, None).await;
    for (tool, key, answer) in [
        ("feedback", "word", json!({ "value": "good" })),
        ("cancel_all", "cancel", yes()),
    ] {
        let call = params(tool, json!({}));
        let again = answered(&call, &ask(&alice, &call).await, key, answer);
        assert_eq!(end(&bob, &again).await, refused(), "{tool}");
        assert!(end(&nobody, &again).await.is_err(), "{tool}");
        assert!(end(&alice, &again).await.is_ok(), "{tool}");
    }
}

#[tokio::test]
async fn a_repeated_last_round_commits_once_and_gets_the_recorded_result() {
    for way in MODERN {
        let world = World::new();
        let client = modern(&world, way).await;
        let book = params("book", json!({ "flight": "LH1" }));
        let state = ask(&client, &book).await;
        let seat = json!({ "row": 3, "window": true });
        let state = ask(&client, &answered(&book, &state, "seat", seat)).await;
        let last = answered(&book, &state, "ok", yes());
        for _ in 0..3 {
            let booked = end(&client, &last).await;
            assert_eq!(booked.unwrap(), "booked; 1 in all", "{way:?}");
        }
        let cancel = params("cancel_all", json!({}));
        let last = answered(&cancel, &ask(&client, &cancel).await, "cancel", yes());
        for _ in 0..3 {
            assert_eq!(end(&client, &last).await.unwrap(), "cancelled 1");
        }
        assert_eq!(world.bookings.all(), [""; 0]);
    }
}

#[tokio::test]
async fn a_no_is_final_in_its_flow() {
    for way in MODERN {
        let world = World::new();
        world.bookings.book("LH1");
        let client = modern(&world, way).await;
        let cancel = params("cancel_all", json!({}));
        let state = ask(&client, &cancel).await;
        let no = answered(&cancel, &state, "cancel", json!({ "ok": false }));
        assert_eq!(end(&client, &no).await.unwrap(), "nothing was cancelled");
        let changed = answered(&cancel, &state, "cancel", yes());
        let told = end(&client, &changed).await.unwrap();
        assert_ne!(told, "cancelled 1", "{way:?}");
        assert_eq!(world.bookings.all(), ["LH1"], "{way:?}: {told}");
    }
}

#[tokio::test]
async fn any_instance_with_the_key_takes_any_round() {
    let (one, two) = (World::new(), World::new());
    let other_key = ring(b"a stranger with a key of his own");
    let stranger = World::with(|mount| mount.keys(other_key));
    let way = Way::Pipe(Era::Modern);
    let (one, two) = (modern(&one, way).await, modern(&two, way).await);
    let feedback = params("feedback", json!({}));
    let word = json!({ "value": "good" });
    let again = answered(&feedback, &ask(&one, &feedback).await, "word", word);
    assert_eq!(end(&two, &again).await.unwrap(), "the journey was good");
    let stranger = modern(&stranger, way).await;
    assert_eq!(end(&stranger, &again).await, refused());
}
