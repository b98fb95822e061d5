//! A tool for each mistake that authors make with questions, and what the kit says to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use expect_test::expect;
use mrtr::Server;
use mrtr::prelude::*;
use mrtr::testing::{Client, Recorder, Transcript, json};

use super::{failing, failure};

/// Prices from elsewhere, which the lint cannot see into.
trait Quotes: Send + Sync {
    fn price(&self) -> usize;
}

/// A price that moves each time somebody looks.
#[derive(Default)]
struct Moving(AtomicUsize);

impl Quotes for Moving {
    fn price(&self) -> usize {
        180 + self.0.fetch_add(1, Ordering::SeqCst)
    }
}

#[derive(Clone)]
struct Market(Arc<dyn Quotes>);

#[tool]
async fn unstable(State(market): State<Market>) -> String {
    let price = market.0.price();
    #[ask(message = "Buy at {price}?")]
    let ok: Confirm;
    format!("{}", ok.yes())
}

/// What an author might do against it.
#[tool]
async fn remembered(State(market): State<Market>) -> String {
    #[memo]
    let price: usize = market.0.price();
    #[ask(message = "Buy at {price}?")]
    let ok: Confirm;
    format!("{price} {}", ok.yes())
}

#[tool(effects = "allow")]
async fn asks_by_chance(State(market): State<Market>, ctx: &Ctx) -> String {
    if market.0.price() % 2 == 0 {
        let word: String = ctx.ask("word", "What?").await;
        return word;
    }
    "nothing".to_owned()
}

#[tokio::test]
async fn an_unstable_question_shows_both_texts() {
    let server = || {
        Server::new("market", "1")
            .state(Market(Arc::new(Moving::default())))
            .tools([unstable(), remembered(), asks_by_chance()])
    };
    let client = Client::new(server());
    expect![[r#"
        the question `ok` is another one when its round runs again
          first: Buy at 180?
          again: Buy at 181?
        help: let questions depend on arguments, answers and what does not move; remember what does with `#[memo]`
        note: a round runs again whenever its answers come, or a reply was lost; `.once()` turns this check off for a call
    "#]].assert_eq(&failure(client.call("unstable", json!({})).yes("ok")).await);
    let once = client.call("unstable", json!({})).once().yes("ok");
    expect![[r#"
        the question `ok` changed after it was answered, and `unstable` asks again
          Something changed since you answered. Please answer again.
          Buy at 183?
            ok: {"type":"boolean"}
        help: let questions depend on what stays the same along a call, and remember the rest with `#[memo]`; if the test is about it, go on with `.yes("ok")`
        so far:
          1 `ok`: Buy at 182?
            .yes("ok")
          2 `ok`: Something changed since you answered. Please answer again.
            Buy at 183?
    "#]].assert_eq(&failure(once).await);
    let chance = Client::new(server()).call("asks_by_chance", json!({}));
    expect![[r#"
        a round asked `word`, and did not ask when it ran again
          again: a result: [{"type":"text","text":"nothing"}]
        help: let questions depend on arguments, answers and what does not move; remember what does with `#[memo]`
        note: a round runs again whenever its answers come, or a reply was lost; `.once()` turns this check off for a call
    "#]].assert_eq(&failure(chance).await);
    let fine = Client::new(server())
        .call("remembered", json!({}))
        .yes("ok")
        .await;
    assert_eq!(fine.text(), "180 true", "a memo may move from path to path");
}

/// Something that sends mail; the lint does not see into it.
trait Outbox: Send + Sync {
    fn welcome(&self, to: &str);
}

impl Outbox for Recorder {
    fn welcome(&self, to: &str) {
        self.record(format!("mail to {to}"));
    }
}

#[derive(Clone)]
struct Mail(Arc<dyn Outbox>);

#[tool]
async fn effect_above_ask(to: String, State(mail): State<Mail>) -> String {
    mail.0.welcome(&to);
    #[ask(message = "Another one?")]
    let ok: Confirm;
    format!("{}", ok.yes())
}

#[tokio::test]
async fn an_effect_above_an_ask_is_named() {
    let sent = Recorder::new();
    let server = Server::new("mail", "1")
        .state(Mail(Arc::new(sent.clone())))
        .tool(effect_above_ask);
    let client = Client::new(server);
    let call = client
        .recording(&sent)
        .call("effect_above_ask", json!({ "to": "ada" }))
        .yes("ok");
    expect![[r#"
        the tool `effect_above_ask` had an effect in round 1, which ended in the question `ok`
          mail to ada
        help: put it under `#[commit]`, after the last ask
        note: a handler runs again from the top in every round, so this happens once per round, and before the user has agreed
    "#]].assert_eq(&failure(call).await);
    let counted = client.counting(move || sent.count());
    let call = counted
        .call("effect_above_ask", json!({ "to": "ada" }))
        .yes("ok");
    expect![[r#"
        the tool `effect_above_ask` had an effect in round 1, which ended in the question `ok`
          effect 1
        help: put it under `#[commit]`, after the last ask
        note: a handler runs again from the top in every round, so this happens once per round, and before the user has agreed
    "#]].assert_eq(&failure(call).await);
}

#[tool]
async fn split() -> String {
    #[ask(message = "Where to?")]
    let city: String;
    let upper = city.to_uppercase();
    #[ask(message = "How many nights?")]
    let nights: u8;
    format!("{upper} {nights}")
}

#[tokio::test]
async fn a_split_round_is_told_from_the_plan() {
    let client = Client::new(Server::new("trips", "1").tool(split));
    let call = client
        .call("split", json!({}))
        .answer("city", "Rome")
        .answer("nights", 2)
        .await;
    let text = failing(|| call.assert_asked(&[&["city", "nights"]]));
    expect![[r#"
        the round plan is another one
          expected: [city, nights]
          asked:    [city] [nights]
        note: the same questions take 2 rounds instead of 1; clients stop after 8 to 10
        help: asks go out together when nothing stands between them and no message of theirs uses an earlier answer
    "#]].assert_eq(&text);
    let text = failing(|| call.assert_asked(&[&["city"], &["nights"], &["ok"]]));
    expect![[r#"
        the round plan is another one
          expected: [city] [nights] [ok]
          asked:    [city] [nights]
    "#]]
    .assert_eq(&text);
}

#[tool]
async fn swallows(State(desk): State<Recorder>) -> String {
    #[mrtr::allow(unread_confirm, reason = "the kit tells of it when it is played, too")]
    #[ask(message = "Delete everything?")]
    let ok: Confirm;
    #[commit]
    desk.record("deleted");
    format!("done, {ok:?}")
}

async fn declined() -> Transcript {
    let server = Server::new("files", "1")
        .state(Recorder::new())
        .tool(swallows);
    Client::new(server)
        .call("swallows", json!({}))
        .decline("ok")
        .await
}

#[tokio::test]
async fn a_swallowed_decline_is_named() {
    let declined = declined().await;
    let text = failing(|| declined.assert_no_effect());
    expect![[r#"
        the tool `swallows` had an effect although the user said no: `.decline("ok")`
          deleted
        help: look at the answer before the effect, such as `if !ok.yes() { return .. }`
        the tool `swallows`
          1 `ok`: Delete everything?
            .decline("ok")
          end: a result: [{"type":"text","text":"done, Confirm(false)"}]
    "#]]
    .assert_eq(&text);
}

#[tokio::test]
async fn effects_that_nobody_counts_are_not_zero() {
    let client = Client::new(Server::new("trips", "1").tool(split));
    let call = client
        .call("split", json!({}))
        .answer("city", "Rome")
        .answer("nights", 2)
        .await;
    expect![[r#"
        no effects are counted: give the server a `Recorder` with `.state(recorder)`, or the client `.recording(&recorder)` or `.counting(move || desk.count())`
    "#]].assert_eq(&failing(|| call.assert_no_effect()));
}
