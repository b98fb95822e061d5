//! A state is attacker input: only the call it was made for opens it.

use std::time::Duration;

use mrtr::prelude::*;
use mrtr::testing::Client;
use mrtr::{Key, KeyRing, Server};
use mrtr_tests::{Peer, Round, accept};
use serde_json::{Value, json};

#[tool]
async fn pay(amount: f64, #[ask(message = "Pay {amount}?")] ok: Confirm) -> String {
    format!("paid: {}", ok.yes())
}

#[tool]
async fn pay_again(
    amount: f64,
    #[ask(message = "Pay {amount}?", key = "ok")] ok: Confirm,
) -> String {
    format!("paid: {}", ok.yes())
}

/// The one text that every refused state is answered with.
const REFUSED: &str = "the requestState is not valid; start the call again";

fn key(number: u8) -> Key {
    let bytes: Vec<u8> = (0..32).map(|n| n ^ number).collect();
    Key::from_bytes(&bytes).expect("32 different bytes")
}

fn server(name: &str, keys: &[u8]) -> Server {
    let ring = KeyRing::new(keys.iter().map(|number| key(*number))).expect("a ring");
    Server::new(name, "1")
        .keys(ring)
        .tools([pay(), pay_again()])
}

fn peer() -> Peer {
    Peer::of(server("pay", &[1]))
}

fn principal(subject: &str) -> Principal {
    Principal::new("https://login.example", subject).expect("a principal")
}

fn yes() -> Value {
    json!({ "ok": accept(json!({ "ok": true })) })
}

async fn asked(peer: &Peer) -> Round {
    peer.call("pay", json!({ "amount": 10 })).await
}

fn assert_refused(round: &Round, what: &str) {
    let message = round.response["error"]["message"].as_str();
    assert_eq!(
        (round.code(), message),
        (-32602, Some(REFUSED)),
        "{what}: {}",
        round.raw
    );
}

#[tokio::test]
async fn a_state_opens_for_its_own_tool_arguments_caller_and_server_only() {
    let alice = peer().as_principal(principal("alice"));
    let asked = asked(&alice).await;
    let next = asked.next(yes());

    let mut other_tool = next.clone();
    other_tool["name"] = json!("pay_again");
    let mut other_arguments = next.clone();
    other_arguments["arguments"]["amount"] = json!(11);
    let mut no_arguments = next.clone();
    no_arguments["arguments"] = json!({ "amount": 10, "note": null });
    let others = principal("alice").client("another client");
    let tenant = principal("alice").tenant("another tenant");
    let realm = Peer::of(server("pay", &[1]).realm("staging")).as_principal(principal("alice"));
    let name = Peer::of(server("pray", &[1])).as_principal(principal("alice"));
    let table = [
        ("another tool", alice.send(other_tool).await),
        ("other arguments", alice.send(other_arguments).await),
        ("one argument more", alice.send(no_arguments).await),
        (
            "another user",
            alice
                .as_principal(principal("bob"))
                .send(next.clone())
                .await,
        ),
        ("nobody", peer().send(next.clone()).await),
        (
            "another client of hers",
            alice.as_principal(others).send(next.clone()).await,
        ),
        (
            "another tenant",
            alice.as_principal(tenant).send(next.clone()).await,
        ),
        ("another realm", realm.send(next.clone()).await),
        ("another server", name.send(next.clone()).await),
        (
            "another key",
            Peer::of(server("pay", &[2]))
                .as_principal(principal("alice"))
                .send(next.clone())
                .await,
        ),
    ];
    for (what, round) in &table {
        assert_refused(round, what);
    }
    let end = alice.send(next).await;
    assert_eq!(end.text(), "paid: true", "and hers still works");
}

#[tokio::test]
async fn a_state_of_nobody_is_not_a_state_of_somebody() {
    let anonymous = asked(&peer()).await;
    let alice = peer().as_principal(principal("alice"));
    assert_refused(
        &anonymous.answer_as(&alice, yes()).await,
        "an anonymous state for Alice",
    );
}

#[tokio::test]
async fn a_signed_state_does_not_open_where_states_are_sealed_nor_the_other_way_round() {
    let signed = Peer::of(server("pay", &[1]).signed());
    let readable = asked(&signed).await;
    assert_refused(
        &readable.answer_as(&peer(), yes()).await,
        "signed at a sealing server",
    );
    assert_refused(
        &asked(&peer()).await.answer_as(&signed, yes()).await,
        "sealed at a signing server",
    );
    assert_eq!(readable.answer(yes()).await.text(), "paid: true");
}

#[tokio::test]
async fn every_change_of_a_single_character_is_refused() {
    for server in [server("pay", &[1]), server("pay", &[1]).signed()] {
        let peer = Peer::of(server);
        let asked = asked(&peer).await;
        let state = asked.state();
        for at in 0..state.len() {
            let mut changed = state.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let mut params = asked.next(yes());
            params["requestState"] = json!(String::from_utf8(changed).expect("still ASCII"));
            assert_refused(&peer.send(params).await, &format!("character {at}"));
        }
    }
}

#[tokio::test]
async fn every_truncation_extension_and_other_spelling_is_refused() {
    let peer = peer();
    let asked = asked(&peer).await;
    let state = asked.state();
    let mut texts: Vec<String> = (1..state.len())
        .map(|end| state[..end].to_owned())
        .collect();
    texts.extend([
        format!("{state}="),
        format!("{state}A"),
        format!(" {state}"),
        format!("{state}\n"),
        state.replace(['-', '_'], "+"),
        state.to_uppercase(),
        "x".to_owned(),
        "A".repeat(16 * 1024),
        "A".repeat(1000 * 1024),
    ]);
    for text in texts.iter().filter(|text| **text != state) {
        let mut params = asked.next(yes());
        params["requestState"] = json!(text);
        assert_refused(&peer.send(params).await, &text[..text.len().min(40)]);
    }
}

#[tokio::test]
async fn a_state_that_is_no_text_is_refused_and_null_is_none() {
    let peer = peer();
    for state in [json!(5), json!(true), json!([]), json!({}), json!("")] {
        let mut params = asked(&peer).await.next(yes());
        params["requestState"] = state.clone();
        assert_eq!(peer.send(params).await.code(), -32602, "{state}");
    }
    let mut params = asked(&peer).await.next(yes());
    params["requestState"] = Value::Null;
    assert_eq!(
        peer.send(params).await.keys(),
        ["ok"],
        "without a state nothing was asked yet"
    );
}

#[tokio::test]
async fn flows_outlive_the_three_steps_of_a_key_rotation_and_not_a_fourth() {
    let before = asked(&Peer::of(server("pay", &[1]))).await;
    let steps = [&[1, 2][..], &[2, 1]];
    for ring in steps {
        let end = before
            .answer_as(&Peer::of(server("pay", ring)), yes())
            .await;
        assert_eq!(end.text(), "paid: true", "{ring:?}");
    }
    let during = asked(&Peer::of(server("pay", &[2, 1]))).await;
    let after = Peer::of(server("pay", &[2]));
    assert_eq!(during.answer_as(&after, yes()).await.text(), "paid: true");
    assert_refused(&before.answer_as(&after, yes()).await, "its key is gone");
}

#[tokio::test]
async fn any_instance_with_the_same_keys_takes_any_round() {
    let asked = asked(&peer()).await;
    assert_eq!(asked.answer_as(&peer(), yes()).await.text(), "paid: true");
}

#[tokio::test]
async fn a_fresh_token_of_the_same_user_is_the_same_caller() {
    let asked = asked(&peer().as_principal(principal("alice"))).await;
    let refreshed = peer().as_principal(principal("alice"));
    assert_eq!(
        asked.answer_as(&refreshed, yes()).await.text(),
        "paid: true"
    );
}

#[tokio::test]
async fn answers_after_the_rounds_window_are_asked_for_again_and_after_the_flows_end_refused() {
    let minute = Duration::from_secs(60);
    let late = Client::new(server("pay", &[1]).round_ttl(minute));
    let over = Client::new(server("pay", &[1]).flow_ttl(minute));
    let asked = |client: &Client| client.call("pay", json!({ "amount": 10 }));
    let in_time = asked(&late).advance(59).yes("ok").await;
    assert_eq!(in_time.text(), "paid: true", "in time");
    let again = asked(&late).advance(60).yes("ok").yes("ok").await;
    assert_eq!(again.asked(), [["ok"], ["ok"]], "a late yes is not taken");
    assert_eq!(again.text(), "paid: true");
    let flow = asked(&over).advance(59).yes("ok").await;
    assert_eq!(flow.text(), "paid: true", "in time");
    let flow = asked(&over).advance(60).yes("ok").await;
    assert_eq!(flow.error_code(), Some(-32602), "the flow is over");
    assert_eq!(flow.text(), REFUSED);
}

#[test]
fn keys_that_protect_nothing_are_refused_with_what_is_wrong() {
    let bytes: Vec<u8> = (0..32).collect();
    assert!(Key::from_bytes(&bytes[..31]).is_err(), "31 bytes");
    assert!(Key::from_bytes(&[]).is_err(), "no bytes");
    assert!(Key::from_bytes(&[7; 32]).is_err(), "one byte over and over");
    assert!(KeyRing::new([]).is_err(), "no key");
    assert!(KeyRing::new([key(1), key(1)]).is_err(), "a key twice");
    for text in [
        "0102",
        "hex:0102",
        "base64:AAAA",
        "correct horse battery staple battery",
    ] {
        let error = Key::parse(text).expect_err(text).to_string();
        assert!(
            !error.contains(text),
            "a key never stands in a message: {error}"
        );
    }
}
