//! What a flow gives and keeps for its handler: the same in every round, another in every flow.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mrtr::prelude::*;
use mrtr::{Key, KeyRing, Server};
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

/// Remembers more than a state can carry.
#[tool]
async fn hoard(length: usize) -> String {
    #[memo]
    let small: u8 = 7;
    #[memo]
    let catalogue: String = "x".repeat(length);
    #[ask(message = "Which of {small}?")]
    let which: String;
    which + &catalogue[..1]
}

#[tokio::test]
async fn a_memo_that_is_too_large_is_named_with_its_size() {
    let peer = Peer::of(Server::new("library", "1").tool(hoard));
    let fits = peer.call("hoard", json!({ "length": 10_000 })).await;
    let end = fits.answer(json!({ "which": accept(json!({ "value": "a" })) }));
    assert_eq!(end.await.text(), "ax");
    let failure = peer.call("hoard", json!({ "length": 20_000 })).await;
    assert!(
        failure
            .failure()
            .ends_with(", with 20002 bytes in one entry; its largest entry is `catalogue`"),
        "{}",
        failure.raw
    );
}

/// A source of prices that is down every other time; counts how often it was asked.
#[derive(Clone, Default)]
struct Feed(Arc<AtomicUsize>);

impl Feed {
    fn price(&self) -> Result<usize, ToolError> {
        match self.0.fetch_add(1, Ordering::SeqCst) {
            asked if asked % 2 == 0 => Err(ToolError::user("the feed is down")),
            asked => Ok(asked),
        }
    }
}

#[tool]
async fn offer(State(feed): State<Feed>) -> Result<String, ToolError> {
    #[ask(message = "What?")]
    let what: String;
    #[memo(repeatable = "the feed only counts who asks")]
    let price: usize = feed.price()?;
    #[ask(message = "{what} at {price}?")]
    let ok: Confirm;
    Ok(format!("{what} at {price}: {}", ok.yes()))
}

#[tokio::test]
async fn a_memo_that_failed_is_not_remembered() {
    let feed = Feed::default();
    let peer = Peer::of(Server::new("shop", "1").state(feed.clone()).tool(offer));
    let first = peer.call("offer", json!({})).await;
    let tea = json!({ "what": accept(json!({ "value": "tea" })) });
    let failed = first.answer(tea.clone()).await;
    assert_eq!(failed.failure(), "the feed is down");
    let asked = first.answer(tea).await;
    assert_eq!(asked.message("ok"), "tea at 1?");
    assert_eq!(asked.answer(yes("ok")).await.text(), "tea at 1: true");
    assert_eq!(feed.0.load(Ordering::SeqCst), 2);
}

/// Three releases of one tool: its price is a number, another number, and then a text.
mod releases {
    use super::*;

    macro_rules! release {
        ($name:ident, $price:ty, $value:expr) => {
            #[tool(name = "quote")]
            pub(super) async fn $name() -> String {
                #[memo]
                let price: $price = $value;
                #[ask(message = "Ok?")]
                let ok: Confirm;
                format!("{price} {}", ok.yes())
            }
        };
    }

    release!(one, u32, 7);
    release!(two, u32, 8);
    release!(three, String, "8 EUR".to_owned());
}

#[tokio::test]
async fn a_memo_whose_type_a_deploy_has_changed_is_made_again() {
    let ring = || {
        let key = Key::from_bytes(&std::array::from_fn::<u8, 32, _>(|i| i as u8));
        KeyRing::new([key.expect("a key")]).expect("a ring")
    };
    let release = |tool| Peer::of(Server::new("shop", "1").keys(ring()).tool(tool));
    let asked = release(releases::one()).call("quote", json!({})).await;
    for (later, text) in [
        (releases::one(), "7 true"),
        (releases::two(), "7 true"),
        (releases::three(), "8 EUR true"),
    ] {
        let end = release(later).send(asked.next(yes("ok"))).await;
        assert_eq!(end.text(), text, "{}", end.raw);
    }
}
