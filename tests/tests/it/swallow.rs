//! An unanswered question cannot be swallowed, whatever the handler does with it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use mrtr::Server;
use mrtr::prelude::*;
use mrtr_tests::{Peer, accept, decline};
use serde_json::json;

/// What happened, counted.
#[derive(Clone, Default)]
struct Ledger(Arc<AtomicUsize>);

impl Ledger {
    fn write(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn entries(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

async fn fallible(ctx: &Ctx) -> Result<String, ToolError> {
    Ok(ctx.ask::<String>("q", "What?").await)
}

#[tool]
async fn in_unwrap_or(ctx: &Ctx) -> String {
    fallible(ctx)
        .await
        .unwrap_or_else(|_| "swallowed".to_owned())
}

#[tool]
async fn in_if_let(ctx: &Ctx) -> String {
    if let Ok(text) = fallible(ctx).await.map_err(|_| "swallowed") {
        text
    } else {
        "swallowed".to_owned()
    }
}

#[tool]
#[mrtr::allow(
    raced_ask,
    reason = "the run-time guard behind the lint is what is tested"
)]
async fn in_select(ctx: &Ctx) -> String {
    tokio::select! {
        biased;
        text = ctx.ask::<String>("q", "What?") => text,
        () = std::future::ready(()) => "swallowed".to_owned(),
    }
}

#[tool]
#[mrtr::allow(
    raced_ask,
    reason = "the run-time guard behind the lint is what is tested"
)]
async fn in_timeout(ctx: &Ctx) -> String {
    let asked = tokio::time::timeout(Duration::ZERO, ctx.ask::<String>("q", "What?"));
    asked.await.unwrap_or_else(|_| "swallowed".to_owned())
}

#[tool]
#[mrtr::allow(
    raced_ask,
    reason = "the run-time guard behind the lint is what is tested"
)]
async fn in_now_or_never(ctx: &Ctx) -> String {
    ctx.ask::<String>("q", "What?")
        .into_future()
        .now_or_never()
        .unwrap_or_else(|| "swallowed".to_owned())
}

#[tool]
async fn dropped_by_an_error(ctx: &Ctx) -> Result<String, ToolError> {
    let asked = ctx.ask::<String>("q", "What?").into_future();
    let failing = async { Err::<String, _>(ToolError::user("failed")) };
    let both = futures_util::future::try_join(async { Ok(asked.await) }, failing);
    both.await.map(|(text, _)| text)
}

#[tool]
async fn in_a_set_of_futures(ctx: &Ctx) -> String {
    let mut set = futures_util::stream::FuturesUnordered::new();
    set.push(ctx.ask::<String>("q", "What?").into_future());
    set.next().await.unwrap_or_else(|| "swallowed".to_owned())
}

#[tool]
async fn in_catch_unwind(ctx: &Ctx) -> String {
    let asked = AssertUnwindSafe(ctx.ask::<String>("q", "What?").into_future());
    asked
        .catch_unwind()
        .await
        .unwrap_or_else(|_| "swallowed".to_owned())
}

#[tool]
async fn kept_and_polled_later(ctx: &Ctx) -> String {
    let mut kept = Box::pin(ctx.ask::<String>("q", "What?").into_future());
    if let Poll::Ready(text) = futures_util::poll!(&mut kept) {
        return text;
    }
    kept.await
}

#[tokio::test]
async fn no_way_of_dropping_an_ask_hides_the_question() {
    let tools = [
        in_unwrap_or(),
        in_if_let(),
        in_select(),
        in_timeout(),
        in_now_or_never(),
        in_a_set_of_futures(),
        in_catch_unwind(),
        kept_and_polled_later(),
        dropped_by_an_error(),
    ];
    let names: Vec<_> = tools.iter().map(|tool| tool.name().to_owned()).collect();
    let peer = Peer::of(Server::new("swallow", "1").tools(tools));
    for name in names {
        let asked = peer.call(&name, json!({})).await;
        assert_eq!(asked.keys(), ["q"], "{name}: {}", asked.raw);
        let end = asked
            .answer(json!({ "q": accept(json!({ "value": "fine" })) }))
            .await;
        let expected = if name == "dropped_by_an_error" {
            "failed"
        } else {
            "fine"
        };
        assert_eq!(end.text(), expected, "{name}");
    }
}

#[tool]
#[mrtr::allow(
    raced_ask,
    reason = "the run-time guard behind the lint is what is tested"
)]
#[mrtr::allow(commit_without_ask, reason = "as above")]
async fn commit_beside_an_ask(State(ledger): State<Ledger>, ctx: &Ctx) -> String {
    let _ = ctx
        .ask::<Confirm>("ok", "Really?")
        .into_future()
        .now_or_never();
    #[commit]
    ledger.write();
    "done".to_owned()
}

#[tool]
async fn commit_after_a_no(State(ledger): State<Ledger>) -> Result<String, ToolError> {
    #[ask(message = "Really?")]
    let ok: Confirm;
    if ok.no() {
        return Err(ToolError::user("not done"));
    }
    #[commit]
    ledger.write();
    Ok("done".to_owned())
}

#[tokio::test]
async fn nothing_commits_while_a_question_is_open() {
    let ledger = Ledger::default();
    let tools = [commit_beside_an_ask(), commit_after_a_no()];
    let peer = Peer::of(
        Server::new("swallow", "1")
            .state(ledger.clone())
            .tools(tools),
    );

    let asked = peer.call("commit_beside_an_ask", json!({})).await;
    assert_eq!((asked.keys(), ledger.entries()), (vec!["ok"], 0));

    let no = accept(json!({ "ok": false }));
    for (answer, end, entries) in [
        (no, "not done", 0),
        (decline(), "not done", 0),
        (accept(json!({ "ok": true })), "done", 1),
    ] {
        let asked = peer.call("commit_after_a_no", json!({})).await;
        let round = asked.answer(json!({ "ok": answer })).await;
        assert_eq!((round.text(), ledger.entries()), (end, entries));
    }
}

#[tool]
async fn panics(ctx: &Ctx) -> String {
    let word: String = ctx.ask("q", "What?").await;
    panic!("the secret word is {word}")
}

#[tokio::test]
async fn a_panic_is_an_internal_error_without_its_text() {
    let peer = Peer::of(Server::new("swallow", "1").tools([panics(), in_if_let()]));
    let asked = peer.call("panics", json!({})).await;
    let end = asked
        .answer(json!({ "q": accept(json!({ "value": "xyzzy" })) }))
        .await;
    assert_eq!(end.code(), -32603);
    assert!(
        !end.raw.contains("xyzzy") && !end.raw.contains("secret"),
        "{}",
        end.raw
    );
    assert_eq!(
        peer.call("in_if_let", json!({})).await.keys(),
        ["q"],
        "the server still serves"
    );
}
