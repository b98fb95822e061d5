//! Clients that change between the rounds: another time, user, instance, version.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use expect_test::expect;
use mrtr::Server;
use mrtr::prelude::*;
use mrtr::testing::{Cap, Client, Recorder, json};

use super::desk::server;
use super::{failing, failure};

const REFUSED: &str = "the requestState is not valid; start the call again";

#[tokio::test]
async fn a_signed_in_user_is_the_one_who_answers() {
    let client = Client::new(server(&Recorder::new()));
    assert_eq!(client.call("whoami", json!({})).await.text(), "nobody");
    let bob = client.as_user("bob");
    assert_eq!(bob.call("whoami", json!({})).await.text(), "bob");
    assert_eq!(
        bob.anonymous().call("whoami", json!({})).await.text(),
        "nobody"
    );

    let own = bob
        .call("room", json!({}))
        .answer("nights", 1)
        .decline("breakfast")
        .yes("ok")
        .await;
    assert_eq!(own.text(), "1 nights");
    let asked = || {
        bob.call("room", json!({}))
            .answer("nights", 1)
            .decline("breakfast")
    };
    for theft in [
        asked().as_user("eve").yes("ok"),
        asked().anonymous().yes("ok"),
    ] {
        let refused = theft.await;
        assert_eq!(
            (refused.error_code(), refused.text().as_str()),
            (Some(-32602), REFUSED)
        );
        assert_eq!(
            refused.observed().last().unwrap(),
            "refused: other_principal"
        );
    }
}

#[tokio::test]
async fn time_passes_when_the_test_says_so() {
    let client = Client::new(server(&Recorder::new()));
    let asked = || {
        client
            .call("room", json!({}))
            .answer("nights", 2)
            .decline("breakfast")
    };
    let in_time = asked().advance(599).yes("ok").await;
    assert_eq!(in_time.text(), "2 nights");
    let late = asked().advance(600).yes("ok").yes("ok").await;
    assert_eq!(
        late.asked(),
        [vec!["nights", "breakfast"], vec!["ok"], vec!["ok"]]
    );
    assert!(
        late.observed().iter().any(|event| event == "3 ok late"),
        "{:?}",
        late.observed()
    );
    let over = asked().advance(3600).yes("ok").await;
    assert_eq!(over.error_code(), Some(-32602));
    let unscripted = failure(asked().advance(600).yes("ok")).await;
    expect![[r#"
        the answer to `ok` came too late, and `room` asks again
          Book 2 nights?
            ok: {"type":"boolean"}
        help: go on with `.yes("ok")`
        so far:
          1 `nights`: How many nights?
          1 `breakfast`: With breakfast?
            .answer("nights", 2)
            .decline("breakfast")
          2 `ok`: Book 2 nights?
            .advance(600)
            .yes("ok")
          3 `ok`: Book 2 nights?
    "#]]
    .assert_eq(&unscripted);
}

#[tokio::test]
async fn a_capability_can_go_between_the_rounds() {
    let client = Client::new(server(&Recorder::new()));
    let asked = client.call("room", json!({})).without(Cap::Form);
    let gone = asked.answer("nights", 1).decline("breakfast").await;
    assert_eq!(
        gone.error_code(),
        Some(-32021),
        "the answers are there, the next question is not"
    );
}

#[tokio::test]
async fn every_instance_takes_every_round() {
    let desk = Recorder::new();
    let (built, shared) = (Arc::new(AtomicUsize::new(0)), desk.clone());
    let counter = Arc::clone(&built);
    let client = Client::new(move || {
        counter.fetch_add(1, Ordering::SeqCst);
        server(&shared)
    });
    let booked = client
        .call("room", json!({}))
        .on_instance(2)
        .answer("nights", 4)
        .answer("breakfast", true)
        .on_instance(3)
        .yes("ok")
        .await;
    assert_eq!((booked.text().as_str(), desk.count()), ("4 nights", 1));
    assert_eq!(built.load(Ordering::SeqCst), 3);

    let text = failing(|| Client::new(server(&Recorder::new())).on_instance(2));
    expect![[r#"
        there is no instance 2: the client was given one server, which can be built once
        help: give it a function, `Client::new(move || server(desk.clone()))`; what instances share, such as a database, goes in by clone
    "#]].assert_eq(&text);
}

#[tool(name = "room")]
async fn reworded(State(desk): State<Recorder>) -> String {
    #[ask(message = "For how many nights?")]
    let nights: u8;
    #[ask(message = "Book {nights} nights?")]
    let ok: Confirm;
    if !ok.yes() {
        return "not booked".to_owned();
    }
    #[commit]
    desk.record(format!("{nights} nights"));
    format!("{nights} nights, as it is now")
}

#[tokio::test]
async fn a_deploy_in_the_middle_keeps_the_flow_and_asks_what_has_changed() {
    let desk = Recorder::new();
    let client = Client::new(server(&desk));
    let next = || Server::new("desk", "2").state(desk.clone()).tool(reworded);
    let moved = client
        .call("room", json!({}))
        .answer("nights", 4)
        .decline("breakfast")
        .redeployed(next())
        .yes("ok")
        .answer("nights", 5)
        .yes("ok")
        .await;
    assert_eq!(
        moved.text(),
        "5 nights, as it is now",
        "an answer to another question does not count"
    );
    let new = client
        .redeployed(next())
        .call("room", json!({}))
        .answer("nights", 1)
        .no("ok")
        .await;
    assert_eq!(new.text(), "not booked");
}

#[test]
fn a_server_that_cannot_be_built_says_why() {
    let text = failing(|| Client::new(Server::new("desk", "1").tools([reworded(), reworded()])));
    expect![[r#"
        the server cannot be built for 3 reasons
        - tool `room` takes `State<mrtr_runtime::testing::recorder::Recorder>`, which the server was not given
          help: add `.state(..)` with a value of that type
        - tool `room` takes `State<mrtr_runtime::testing::recorder::Recorder>`, which the server was not given
          help: add `.state(..)` with a value of that type
        - two tools are named `room`
          help: give one of them another: `#[tool(name = "..")]`
    "#]].assert_eq(&text);
}
