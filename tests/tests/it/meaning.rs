//! An answer counts only for the question it was given to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mrtr::Server;
use mrtr::prelude::*;
use mrtr_tests::{Peer, Round, accept};
use serde_json::{Value, json};

/// Something outside the call that can change between two rounds.
#[derive(Clone, Default)]
struct World {
    price: Arc<AtomicU32>,
    wording: Arc<AtomicU32>,
    effects: Arc<AtomicU32>,
}

impl World {
    fn price(&self) -> u32 {
        self.price.load(Ordering::SeqCst)
    }

    fn set(&self, price: u32) {
        self.price.store(price, Ordering::SeqCst);
    }

    fn reword(&self) {
        self.wording.fetch_add(1, Ordering::SeqCst);
    }

    fn wording(&self) -> u32 {
        self.wording.load(Ordering::SeqCst)
    }

    fn act(&self) {
        self.effects.fetch_add(1, Ordering::SeqCst);
    }

    fn effects(&self) -> u32 {
        self.effects.load(Ordering::SeqCst)
    }
}

#[tool]
async fn shown(State(world): State<World>) -> String {
    let price = world.price();
    #[ask(message = "Pay {price}?")]
    let ok: Confirm;
    if ok.no() {
        return "no".to_owned();
    }
    #[commit]
    world.act();
    format!("paid {price}")
}

#[tool]
async fn pinned(State(world): State<World>) -> String {
    let price = world.price();
    #[ask(message = "Proceed?", pin = price)]
    let ok: Confirm;
    if ok.no() {
        return "no".to_owned();
    }
    #[commit]
    world.act();
    format!("paid {price}")
}

/// `who` can be reworded by a deploy; the consent after it says nothing of what it is about.
#[tool]
async fn chained(State(world): State<World>) -> String {
    let wording = world.wording();
    #[ask(message = "Who is it for ({wording})?")]
    let who: String;
    #[memo]
    let price: u32 = world.price();
    let pause = price > 0 && !who.is_empty();
    #[ask(message = "Proceed?", alone)]
    let ok: Confirm;
    #[ask(message = "Anything else? {pause}")]
    let wish: String;
    if ok.no() {
        return "no".to_owned();
    }
    #[commit]
    world.act();
    format!("{who} {price} {wish}")
}

/// Asks something else each time.
#[tool]
#[mrtr::allow(
    state_change_above_ask,
    reason = "a question that never stays is what is tested"
)]
async fn restless(State(world): State<World>) -> String {
    let now = world.wording.fetch_add(1, Ordering::SeqCst);
    #[ask(message = "It is {now}. Proceed?")]
    let ok: Confirm;
    format!("{}", ok.yes())
}

fn peer(world: &World) -> Peer {
    let tools = [shown(), pinned(), chained(), restless()];
    Peer::of(
        Server::new("meaning", "1")
            .state(world.clone())
            .tools(tools),
    )
}

fn yes() -> Value {
    accept(json!({ "ok": true }))
}

fn word(word: &str) -> Value {
    accept(json!({ "value": word }))
}

async fn say_yes(round: &Round) -> Round {
    round.answer(json!({ "ok": yes() })).await
}

#[tokio::test]
async fn a_yes_to_the_old_price_does_not_pay_the_new_one() {
    for tool in ["shown", "pinned"] {
        let world = World::default();
        world.set(10);
        let asked = peer(&world).call(tool, json!({})).await;
        world.set(12);
        let again = say_yes(&asked).await;
        assert_eq!((again.keys(), world.effects()), (vec!["ok"], 0), "{tool}");
        assert!(
            again.message("ok").contains("changed"),
            "{}",
            again.message("ok")
        );
        let end = say_yes(&again).await;
        assert_eq!((end.text(), world.effects()), ("paid 12", 1), "{tool}");
    }
}

#[tokio::test]
async fn a_new_question_drops_the_answers_and_memos_that_came_after_it() {
    let world = World::default();
    world.set(10);
    let peer = peer(&world);
    let round = peer.call("chained", json!({})).await;
    let round = round.answer(json!({ "who": word("Ada") })).await;
    let round = say_yes(&round).await;
    assert_eq!(
        round.keys(),
        ["wish"],
        "both answers are sealed: {}",
        round.raw
    );

    world.reword();
    world.set(99);
    let round = round.answer(json!({ "wish": word("tea") })).await;
    assert_eq!(
        round.keys(),
        ["who"],
        "the reworded question is asked again"
    );
    let round = round.answer(json!({ "who": word("Bob") })).await;
    assert_eq!(round.keys(), ["ok"], "the old yes was about Ada");
    let round = say_yes(&round).await;
    assert_eq!(round.keys(), ["wish"]);
    let end = round.answer(json!({ "wish": word("cake") })).await;
    assert_eq!(
        (end.text(), world.effects()),
        ("Bob 99 cake", 1),
        "the quote was made anew"
    );
}

#[tokio::test]
async fn a_memo_is_kept_while_nothing_before_it_changes() {
    let world = World::default();
    world.set(10);
    let round = peer(&world).call("chained", json!({})).await;
    let round = round.answer(json!({ "who": word("Ada") })).await;
    world.set(99);
    let round = say_yes(&round).await;
    let end = round.answer(json!({ "wish": word("tea") })).await;
    assert_eq!(end.text(), "Ada 10 tea");
}

#[tokio::test]
async fn a_question_that_is_another_one_each_time_ends_after_three_prompts() {
    let world = World::default();
    let mut round = peer(&world).call("restless", json!({})).await;
    let mut prompts = 0;
    while !round.is_over() {
        prompts += 1;
        assert!(prompts <= 3, "{}", round.raw);
        round = say_yes(&round).await;
    }
    assert_eq!(prompts, 3);
    assert!(round.raw.contains("`ok`"), "{}", round.raw);
}

#[tokio::test]
async fn two_versions_that_take_turns_prompt_three_times_and_do_nothing() {
    let world = World::default();
    let peer = peer(&world);
    let mut round = peer.call("shown", json!({})).await;
    let mut prompts = 0;
    while !round.is_over() {
        prompts += 1;
        world.set(world.price() ^ 1);
        round = say_yes(&round).await;
    }
    assert_eq!((prompts, world.effects()), (3, 0));
    assert!(round.raw.contains("`ok`"), "{}", round.raw);
}
