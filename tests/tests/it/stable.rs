//! What a flow gives its handler is the same in every round, and another in every flow.

use std::collections::HashSet;

use mrtr::Server;
use mrtr::prelude::*;
use mrtr_tests::{Peer, accept};
use rand::RngExt;
use rand::seq::SliceRandom;
use serde_json::json;

/// Draws above two asks and below them, and asks about what it drew.
#[tool]
async fn draw(ctx: &Ctx) -> String {
    let mut rng = ctx.rng();
    let number: u64 = rng.random();
    let mut cards: Vec<u8> = (0..52).collect();
    cards.shuffle(&mut rng);
    #[ask(message = "{number} ?", pin = &cards)]
    let first: Confirm;
    let die = rng.random_range(1..=6);
    #[ask(message = "{die} after {number}?")]
    let second: Confirm;
    let scoped: u64 = ctx.scope("other").rng().random();
    format!(
        "{} {number} {die} {:?} {scoped}",
        first.yes() && second.yes(),
        &cards[..5]
    )
}

fn casino() -> Peer {
    Peer::of(Server::new("casino", "1").tool(draw))
}

fn yes(key: &str) -> serde_json::Value {
    json!({ key: accept(json!({ "ok": true })) })
}

#[tokio::test]
async fn a_generator_of_the_flow_draws_the_same_in_every_round() {
    let peer = casino();
    let mut seen = HashSet::new();
    for _ in 0..5 {
        let one = peer.call("draw", json!({})).await;
        let number = one
            .message("first")
            .split(' ')
            .next()
            .expect("a number")
            .to_owned();
        let two = one.answer(yes("first")).await;
        let die = two.message("second").to_owned();
        assert!(die.ends_with(&format!(" after {number}?")), "{die}");
        let end = two.answer(yes("second")).await;
        let text = end.text();
        // Had a number differed from the one in its question, the yes would not have counted.
        assert!(
            text.starts_with(&format!("true {number} {} ", &die[..1])),
            "{text}"
        );
        assert!(
            !text.ends_with(&format!(" {number}")),
            "a scope has numbers of its own: {text}"
        );
        assert_eq!(two.answer(yes("second")).await.text(), text, "a repeat");
        seen.insert(number);
    }
    assert_eq!(seen.len(), 5, "each flow draws others: {seen:?}");
}
