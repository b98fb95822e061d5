//! What the flow store makes of repeats, forks, crashes and late answers.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use mrtr_core::keyring::{Key, KeyRing};
use mrtr_core::reply::Confirm;

use super::Ended;
use super::desk::{ADA, Desk, NO, YES, asked, text};
use crate::call::Call;
use crate::commit::commit;
use crate::content::ToolResult;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::flow::{
    Claim, ClaimId, Claimed, End, EndedFlow, Epoch, Finish, Finished, FlowKey, FlowLabel,
    FlowStore, Flows, Found, FoundState, LARGEST_BODY, Look, Looked, Marked, MemoryStore, Outcome,
    Released, Renew, Renewed, Reply, Resolution, ResolveError, Resolved, StoreError,
};
use crate::result::IntoToolResult;
use crate::tool::{Tool, ToolDef};

const BOB: &str = r#"{"action":"accept","content":{"value":"Bob"}}"#;

/// The effects that happened, in order.
#[derive(Clone, Default)]
pub(super) struct Ledger(Arc<Mutex<Vec<String>>>);

impl Ledger {
    pub(super) fn write(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// Books a seat for whom it asks, once that is confirmed; a taken seat is an error.
fn booking(ledger: &Ledger) -> Tool {
    let ledger = ledger.clone();
    ToolDef::new("t")
        .commits()
        .handler(move |ctx: Ctx, _call: Call| {
            let ledger = ledger.clone();
            async move {
                if !ledger.lines().is_empty() {
                    return Err(ToolError::user("the seat is taken"));
                }
                let who: String = ctx.ask("who", "Who?").await;
                let ok: Confirm = ctx.ask("ok", format!("Book for {who}?")).await;
                if !ok.yes() {
                    return Err(ToolError::user("not booked"));
                }
                let _c = commit(ctx).await;
                tokio::time::sleep(Duration::from_millis(50)).await;
                ledger.write(&who);
                format!("booked {who}").into_tool_result()
            }
        })
}

/// A desk with a store in memory, and the states after `who` and after `ok` was asked.
async fn at_the_confirmation(tool: Tool) -> (Desk, String, String) {
    let desk = Desk::with_store(tool, MemoryStore::new());
    let (_, one) = desk.first().await;
    let (keys, two) = asked(desk.round(Some(&one), &[("who", ADA)]).await);
    assert_eq!(keys, ["ok"]);
    (desk, one, two)
}

#[tokio::test(start_paused = true)]
async fn a_repeated_final_round_gets_the_recorded_bytes() {
    let ledger = Ledger::default();
    let (desk, _, two) = at_the_confirmation(booking(&ledger)).await;
    let first = desk.bytes(Some(&two), &[("ok", YES)]).await;
    assert!(first.contains("booked Ada"), "{first}");
    for _ in 0..3 {
        assert_eq!(desk.bytes(Some(&two), &[("ok", YES)]).await, first);
    }
    assert_eq!(ledger.lines(), ["Ada"]);
}

#[tokio::test(start_paused = true)]
async fn the_same_final_round_five_times_at_once_has_one_effect_and_one_answer() {
    let ledger = Ledger::default();
    let (desk, _, two) = at_the_confirmation(booking(&ledger)).await;
    let all =
        futures_util::future::join_all((0..5).map(|_| desk.bytes(Some(&two), &[("ok", YES)])))
            .await;
    assert!(
        all.iter()
            .all(|bytes| bytes.contains("booked Ada") && *bytes == all[0]),
        "{all:?}"
    );
    assert_eq!(ledger.lines(), ["Ada"]);
}

#[tokio::test(start_paused = true)]
async fn a_fork_with_other_answers_is_told_nothing_of_the_result() {
    let ledger = Ledger::default();
    let (desk, one, two) = at_the_confirmation(booking(&ledger)).await;
    let (_, forked) = asked(desk.round(Some(&one), &[("who", BOB)]).await);
    let (ada, bob) = tokio::join!(
        desk.bytes(Some(&two), &[("ok", YES)]),
        desk.bytes(Some(&forked), &[("ok", YES)]),
    );
    assert_eq!(ledger.lines().len(), 1);
    let (won, lost) = if ada.contains("booked") {
        (&ada, &bob)
    } else {
        (&bob, &ada)
    };
    assert!(
        won.contains("booked") && !lost.contains("booked"),
        "{ada} {bob}"
    );
    let later = text(desk.round(Some(&forked), &[("ok", YES)]).await);
    assert!(later.contains("ended with other answers"), "{later}");
    let back = text(desk.round(Some(&one), &[("who", ADA)]).await);
    assert!(back.contains("ended with other answers"), "{back}");
    assert_eq!(desk.bytes(Some(&two), &[("ok", YES)]).await, ada);
}

#[tokio::test(start_paused = true)]
async fn a_yes_after_the_no_has_no_effect() {
    let ledger = Ledger::default();
    let (desk, _, two) = at_the_confirmation(booking(&ledger)).await;
    assert_eq!(
        text(desk.round(Some(&two), &[("ok", NO)]).await),
        "not booked"
    );
    let late = text(desk.round(Some(&two), &[("ok", YES)]).await);
    assert!(late.contains("ended with other answers"), "{late}");
    assert!(ledger.lines().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_unticked_confirmation_is_a_no_too() {
    let ledger = Ledger::default();
    let (desk, _, two) = at_the_confirmation(booking(&ledger)).await;
    let unticked = r#"{"action":"accept","content":{"ok":false}}"#;
    assert_eq!(
        text(desk.round(Some(&two), &[("ok", unticked)]).await),
        "not booked"
    );
    let late = text(desk.round(Some(&two), &[("ok", YES)]).await);
    assert!(late.contains("ended with other answers"), "{late}");
    assert!(ledger.lines().is_empty());
}

#[tokio::test(start_paused = true)]
async fn no_and_yes_at_once_never_have_an_effect_after_the_no_was_said() {
    for no_first in [true, false] {
        let ledger = Ledger::default();
        let (desk, _, two) = at_the_confirmation(booking(&ledger)).await;
        let no = desk.round(Some(&two), &[("ok", NO)]);
        let yes = desk.round(Some(&two), &[("ok", YES)]);
        let no = if no_first {
            tokio::join!(no, yes).0
        } else {
            tokio::join!(yes, no).1
        };
        // Either the no was promised and nothing happened, or it came too late and says so.
        let promised = text(no) == "not booked";
        assert_eq!(promised, ledger.lines().is_empty());
    }
}

/// A tool that commits at once after one question, and ends as the closure says.
fn ending(end: impl Fn() -> Result<&'static str, ToolError> + Send + Sync + 'static) -> Tool {
    let end = Arc::new(end);
    ToolDef::new("t")
        .commits()
        .handler(move |ctx: Ctx, _call: Call| {
            let end = Arc::clone(&end);
            async move {
                let _: String = ctx.ask("who", "Who?").await;
                let _c = commit(ctx).await;
                end().into_tool_result()
            }
        })
}

#[tokio::test(start_paused = true)]
async fn an_error_of_the_commit_is_its_recorded_end_unless_nothing_was_done() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let failing = ending(|| {
        RUNS.fetch_add(1, Ordering::SeqCst);
        Err(ToolError::user("the card was refused"))
    });
    let desk = Desk::with_store(failing, MemoryStore::new());
    let (_, one) = desk.first().await;
    for _ in 0..2 {
        let said = desk.bytes(Some(&one), &[("who", ADA)]).await;
        assert!(said.contains("the card was refused"), "{said}");
    }
    assert_eq!(RUNS.load(Ordering::SeqCst), 1);

    static TRIES: AtomicUsize = AtomicUsize::new(0);
    let retried = ending(|| match TRIES.fetch_add(1, Ordering::SeqCst) {
        0 => Err(ToolError::nothing_done("the bank is closed")),
        _ => Ok("paid"),
    });
    let desk = Desk::with_store(retried, MemoryStore::new());
    let (_, one) = desk.first().await;
    assert_eq!(
        text(desk.round(Some(&one), &[("who", ADA)]).await),
        "the bank is closed"
    );
    assert!(
        desk.bytes(Some(&one), &[("who", ADA)])
            .await
            .contains("paid")
    );
}

/// Panics when it is dropped, but for the time in which something else panics.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "on purpose");
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_or_an_unknown_end_is_never_run_again() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let panicking = ending(|| {
        RUNS.fetch_add(1, Ordering::SeqCst);
        panic!("half-way")
    });
    let explosive = ending(|| {
        RUNS.fetch_add(1, Ordering::SeqCst);
        std::panic::panic_any(Bomb);
    });
    let unsure = ending(|| {
        RUNS.fetch_add(1, Ordering::SeqCst);
        Err(ToolError::unknown("the bank did not answer"))
    });
    for (tool, first) in [
        (panicking, "The outcome"),
        (explosive, "The outcome"),
        (unsure, "the bank did not answer. The outcome"),
    ] {
        RUNS.store(0, Ordering::SeqCst);
        let desk = Desk::with_store(tool, MemoryStore::new());
        let (_, one) = desk.first().await;
        let said = text(desk.round(Some(&one), &[("who", ADA)]).await);
        assert!(said.starts_with(first), "{said}");
        let again = text(desk.round(Some(&one), &[("who", ADA)]).await);
        assert!(
            again.contains("outcome of this call is not known"),
            "{again}"
        );
        assert_eq!(RUNS.load(Ordering::SeqCst), 1);
    }
}

/// It has not begun, so that its handler's limit says nothing, and "nothing was carried out" least.
#[tokio::test(start_paused = true)]
async fn a_repeat_waits_for_the_effect_longer_than_a_handler_may_take() {
    let ledger = Ledger::default();
    let (mut desk, _, two) = at_the_confirmation(booking(&ledger)).await;
    desk.time_limit = Duration::from_millis(20);
    let (first, again) = tokio::join!(desk.bytes(Some(&two), &[("ok", YES)]), async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        desk.bytes(Some(&two), &[("ok", YES)]).await
    });
    assert_eq!(first, again);
    assert_eq!(ledger.lines(), ["Ada"]);
}

/// A twin that is stopped while another one has the effect: by its limit, on the way to its commit or
/// with an error of its own ("the seat is taken" may be our own seat).
#[tokio::test(start_paused = true)]
async fn a_twin_that_is_stopped_during_the_effect_is_told_of_it() {
    for errs in [false, true] {
        let runs = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&runs);
        let tool = ToolDef::new("t")
            .commits()
            .handler(move |ctx: Ctx, _call: Call| {
                let run = counted.fetch_add(1, Ordering::SeqCst);
                async move {
                    let _: String = ctx.ask("who", "Who?").await;
                    if run == 2 {
                        tokio::time::sleep(Duration::from_millis(if errs { 5 } else { 500 })).await;
                        return Err(ToolError::user("the seat is taken"));
                    }
                    let _c = commit(ctx).await;
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    "booked".into_tool_result()
                }
            });
        let mut desk = Desk::with_store(tool, MemoryStore::new());
        let (_, one) = desk.first().await;
        desk.time_limit = Duration::from_millis(20);
        let answers = [("who", ADA)];
        let (first, twin) = tokio::join!(
            desk.bytes(Some(&one), &answers),
            desk.bytes(Some(&one), &answers),
        );
        assert_eq!(runs.load(Ordering::SeqCst), 3);
        assert!(first.contains("booked"), "{first}");
        assert!(twin.contains("is being carried out"), "{twin}");
    }
}

/// The waker of a commit that waits is the run itself: whatever kept it would keep the run.
#[tokio::test(start_paused = true)]
async fn a_commit_that_is_not_let_through_leaves_nothing_of_its_run() {
    let asked = ToolDef::new("t")
        .commits()
        .handler(|ctx: Ctx, _: Call| async move {
            let _c = commit(ctx).in_flow().await;
            "done".into_tool_result()
        });
    let desk = Desk::with_store(asked, MemoryStore::new());
    assert!(desk.leaves_nothing(None, &[]).await, "sent round");

    let full = Desk::with_store(ending(|| Ok("paid")), MemoryStore::new().records(1));
    let (_, one) = full.first().await;
    let other = full.first_of(9).await;
    full.round(Some(&one), &[("who", ADA)]).await;
    assert!(
        full.leaves_nothing(Some(&other), &[("who", ADA)]).await,
        "no room"
    );
}

#[tokio::test(start_paused = true)]
async fn a_commit_that_is_given_up_is_unknown_at_once_whatever_its_destructors_do() {
    let endless = ToolDef::new("t")
        .commits()
        .handler(|ctx: Ctx, _call: Call| async move {
            let _: String = ctx.ask("who", "Who?").await;
            let _c = commit(ctx).await;
            let _bomb = Bomb;
            std::future::pending::<()>().await;
            "done".into_tool_result()
        });
    let desk = Desk::with_store(endless, MemoryStore::new());
    let (_, one) = desk.first().await;
    desk.round(Some(&one), &[("who", ADA)]).await;
    // Its time is over just now, and its lease is not.
    tokio::time::sleep(Duration::from_secs(600)).await;
    let start = tokio::time::Instant::now();
    let again = text(desk.round(Some(&one), &[("who", ADA)]).await);
    assert!(
        again.contains("outcome of this call is not known"),
        "{again}"
    );
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_during_the_effect_gets_the_result_later() {
    let ledger = Ledger::default();
    let (desk, _, two) = at_the_confirmation(booking(&ledger)).await;
    let leave = tokio::time::timeout(
        Duration::from_millis(10),
        desk.bytes(Some(&two), &[("ok", YES)]),
    );
    assert!(leave.await.is_err());
    // It waits for the one that is running, and has its result.
    let again = desk.bytes(Some(&two), &[("ok", YES)]).await;
    assert!(again.contains("booked Ada"), "{again}");
    assert_eq!(ledger.lines(), ["Ada"]);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_lost_its_memory_opens_no_state_for_a_commit() {
    let ledger = Ledger::default();
    let store = Arc::new(MemoryStore::new());
    let desk = Desk::with_store(booking(&ledger), Arc::clone(&store));
    let (_, one) = desk.first().await;
    store.wipe();
    // The state is bound to the epoch: with the new one it does not even open.
    assert!(desk.try_round(Some(&one), &[("who", ADA)]).await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_full_store_refuses_and_nothing_is_done() {
    let ledger = Ledger::default();
    let store = MemoryStore::new().records(0);
    let desk = Desk::with_store(booking(&ledger), store);
    let (_, one) = desk.first().await;
    let (_, two) = asked(desk.round(Some(&one), &[("who", ADA)]).await);
    let said = text(desk.round(Some(&two), &[("ok", YES)]).await);
    assert!(said.contains("carried out nothing"), "{said}");
    assert!(ledger.lines().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_commit_that_wants_a_flow_sends_the_client_round_once() {
    let tool = ToolDef::new("t")
        .commits()
        .handler(|ctx: Ctx, _call: Call| async move {
            let c = commit(ctx).in_flow().await;
            format!("{}", c.flow().is_some()).into_tool_result()
        });
    let desk = Desk::with_store(tool, MemoryStore::new());
    let (keys, state) = desk.first().await;
    assert!(keys.is_empty());
    assert!(desk.bytes(Some(&state), &[]).await.contains("true"));
}

#[tokio::test(start_paused = true)]
async fn a_commit_about_a_thing_happens_once_for_two_calls() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let tool = ToolDef::new("t")
        .commits()
        .handler(|ctx: Ctx, _call: Call| async move {
            let _c = commit(ctx).key("invoice 7").await;
            RUNS.fetch_add(1, Ordering::SeqCst);
            "paid".into_tool_result()
        });
    let desk = Desk::with_store(tool, MemoryStore::new());
    let first = desk.bytes(None, &[]).await;
    assert!(first.contains("paid"), "{first}");
    assert_eq!(desk.bytes(None, &[]).await, first);
    assert_eq!(RUNS.load(Ordering::SeqCst), 1);
}

/// A store that can be cut off, and can lose the replies of what it did.
struct Flaky {
    inner: MemoryStore,
    /// Nothing reaches it.
    down: AtomicBool,
    /// The next claim is carried out and its reply lost.
    lose_claims: AtomicUsize,
    /// Ends cannot be told.
    deaf: AtomicBool,
}

impl Flaky {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            inner: MemoryStore::new(),
            down: AtomicBool::new(false),
            lose_claims: AtomicUsize::new(0),
            deaf: AtomicBool::new(false),
        })
    }

    fn check(&self, flag: &AtomicBool) -> Result<(), StoreError> {
        if self.down.load(Ordering::SeqCst) || flag.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("cut off".into()));
        }
        Ok(())
    }
}

macro_rules! through {
    ($self:ident, $call:expr) => {
        Box::pin(async move {
            $self.check(&$self.down)?;
            $call.await
        })
    };
}

impl FlowStore for Flaky {
    fn epoch(&self) -> Reply<'_, Epoch> {
        self.inner.epoch()
    }
    fn look(&self, flow: FlowKey, look: Look) -> Reply<'_, Looked> {
        through!(self, self.inner.look(flow, look))
    }
    fn claim(&self, flow: FlowKey, claim: Claim) -> Reply<'_, Claimed> {
        Box::pin(async move {
            self.check(&self.down)?;
            let claimed = self.inner.claim(flow, claim).await;
            let lose = self.lose_claims.load(Ordering::SeqCst);
            if lose > 0 {
                self.lose_claims.store(lose - 1, Ordering::SeqCst);
                return Err(StoreError::Unavailable("the reply was lost".into()));
            }
            claimed
        })
    }
    fn renew(&self, flow: FlowKey, renew: Renew) -> Reply<'_, Renewed> {
        through!(self, self.inner.renew(flow, renew))
    }
    fn finish(&self, flow: FlowKey, finish: Finish) -> Reply<'_, Finished> {
        Box::pin(async move {
            self.check(&self.deaf)?;
            self.inner.finish(flow, finish).await
        })
    }
    fn end(&self, flow: FlowKey, end: End) -> Reply<'_, EndedFlow> {
        through!(self, self.inner.end(flow, end))
    }
    fn release(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Released> {
        through!(self, self.inner.release(flow, id))
    }
    fn mark_lost(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Marked> {
        through!(self, self.inner.mark_lost(flow, id))
    }
    fn find(&self, label: FlowLabel) -> Reply<'_, Option<Found>> {
        through!(self, self.inner.find(label))
    }
    fn resolve(&self, flow: FlowKey, resolution: Resolution) -> Reply<'_, Resolved> {
        through!(self, self.inner.resolve(flow, resolution))
    }
}

#[tokio::test(start_paused = true)]
async fn with_the_store_down_nothing_is_done_and_the_call_can_go_on_later() {
    let ledger = Ledger::default();
    let store = Flaky::new();
    let desk = Desk::with_store(booking(&ledger), Arc::clone(&store));
    let (_, one) = desk.first().await;
    let (_, two) = asked(desk.round(Some(&one), &[("who", ADA)]).await);
    store.down.store(true, Ordering::SeqCst);
    let said = text(desk.round(Some(&two), &[("ok", YES)]).await);
    assert!(said.contains("cannot reach its record"), "{said}");
    assert!(ledger.lines().is_empty());
    store.down.store(false, Ordering::SeqCst);
    assert!(
        desk.bytes(Some(&two), &[("ok", YES)])
            .await
            .contains("booked Ada")
    );
}

#[tokio::test(start_paused = true)]
async fn a_claim_whose_reply_was_lost_is_won_by_the_same_id() {
    let ledger = Ledger::default();
    let store = Flaky::new();
    let desk = Desk::with_store(booking(&ledger), Arc::clone(&store));
    let (_, one) = desk.first().await;
    let (_, two) = asked(desk.round(Some(&one), &[("who", ADA)]).await);
    store.lose_claims.store(1, Ordering::SeqCst);
    assert!(
        desk.bytes(Some(&two), &[("ok", YES)])
            .await
            .contains("booked Ada")
    );
    assert_eq!(ledger.lines(), ["Ada"]);
}

#[tokio::test(start_paused = true)]
async fn a_claim_that_never_answers_is_given_back() {
    let ledger = Ledger::default();
    let store = Flaky::new();
    let desk = Desk::with_store(booking(&ledger), Arc::clone(&store));
    let (_, one) = desk.first().await;
    let (_, two) = asked(desk.round(Some(&one), &[("who", ADA)]).await);
    store.lose_claims.store(2, Ordering::SeqCst);
    let said = text(desk.round(Some(&two), &[("ok", YES)]).await);
    assert!(said.contains("carried out nothing"), "{said}");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(
        desk.bytes(Some(&two), &[("ok", YES)])
            .await
            .contains("booked Ada")
    );
    assert_eq!(ledger.lines(), ["Ada"]);
}

/// The store hears of it later that a commit did nothing: until then nobody may carry it out.
#[tokio::test(start_paused = true)]
async fn a_claim_that_could_not_be_given_back_is_given_back_later() {
    let store = Flaky::new();
    let tries = Arc::new(AtomicUsize::new(0));
    let cut = Arc::clone(&store);
    let tool = ToolDef::new("t")
        .commits()
        .handler(move |ctx: Ctx, _call: Call| {
            let (tries, cut) = (Arc::clone(&tries), Arc::clone(&cut));
            async move {
                let _: String = ctx.ask("who", "Who?").await;
                let _c = commit(ctx).await;
                if tries.fetch_add(1, Ordering::SeqCst) == 0 {
                    cut.down.store(true, Ordering::SeqCst);
                    return Err(ToolError::nothing_done("the bank is closed"));
                }
                "paid".into_tool_result()
            }
        });
    let desk = Desk::with_store(tool, Arc::clone(&store));
    let (_, one) = desk.first().await;
    let closed = text(desk.round(Some(&one), &[("who", ADA)]).await);
    assert_eq!(closed, "the bank is closed");
    tokio::time::sleep(Duration::from_secs(120)).await;
    store.down.store(false, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(60)).await;
    let again = desk.bytes(Some(&one), &[("who", ADA)]).await;
    assert!(again.contains("paid"), "{again}");
}

#[tokio::test(start_paused = true)]
async fn a_result_that_could_not_be_recorded_is_told_and_recorded_later() {
    let ledger = Ledger::default();
    let store = Flaky::new();
    let desk = Desk::with_store(booking(&ledger), Arc::clone(&store));
    let (_, one) = desk.first().await;
    let (_, two) = asked(desk.round(Some(&one), &[("who", ADA)]).await);
    store.deaf.store(true, Ordering::SeqCst);
    let first = desk.bytes(Some(&two), &[("ok", YES)]).await;
    assert!(first.contains("booked Ada"), "{first}");
    store.deaf.store(false, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(desk.bytes(Some(&two), &[("ok", YES)]).await, first);
    assert_eq!(ledger.lines(), ["Ada"]);
}

#[tokio::test(start_paused = true)]
async fn the_lease_lives_as_long_as_the_effect_runs() {
    let slow = ToolDef::new("t")
        .commits()
        .handler(|ctx: Ctx, _call: Call| async move {
            let _: String = ctx.ask("who", "Who?").await;
            let _c = commit(ctx).await;
            tokio::time::sleep(Duration::from_secs(200)).await;
            "done".into_tool_result()
        });
    let clock = tokio::time::Instant::now();
    let store = MemoryStore::with_clock(move || clock.elapsed());
    let desk = Desk::with_store(slow, store);
    let (_, one) = desk.first().await;
    // The caller is told after its limit that the outcome is not known; the effect goes on.
    assert!(text(desk.round(Some(&one), &[("who", ADA)]).await).contains("is not known"));
    tokio::time::sleep(Duration::from_secs(50)).await;
    // Still running, long past the first lease: not lost.
    let busy = desk.bytes(Some(&one), &[("who", ADA)]).await;
    assert!(busy.contains("is being carried out"), "{busy}");
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert!(
        desk.bytes(Some(&one), &[("who", ADA)])
            .await
            .contains("done")
    );
}

#[tokio::test(start_paused = true)]
async fn only_an_idempotent_commit_is_taken_over_from_a_holder_that_vanished() {
    for idempotent in [false, true] {
        let ledger = Ledger::default();
        let effects = ledger.clone();
        let mut def = ToolDef::new("t").commits();
        if idempotent {
            def = def.idempotent_commit();
        }
        let tool = def.handler(move |ctx: Ctx, _call: Call| {
            let ledger = effects.clone();
            async move {
                let _: String = ctx.ask("who", "Who?").await;
                let c = commit(ctx).await;
                ledger.write(c.key("pay"));
                "paid".into_tool_result()
            }
        });
        let store = Arc::new(MemoryStore::new());
        let desk = Desk::with_store(tool, Arc::clone(&store));
        let (_, one) = desk.first().await;
        desk.vanished_holder(&*store, &one, &[("who", ADA)]).await;
        let ended = desk.round(Some(&one), &[("who", ADA)]).await;
        if idempotent {
            assert!(matches!(ended, Ended::Recorded(_)), "{ended:?}");
            assert_eq!(ledger.lines().len(), 1);
        } else {
            assert!(text(ended).contains("is not known"));
            assert!(ledger.lines().is_empty());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_operator_settles_what_nobody_knew() {
    let keys = || {
        let key = Key::from_bytes(&std::array::from_fn::<u8, 32, _>(|i| i as u8)).unwrap();
        KeyRing::new([key]).unwrap()
    };
    for happened in [true, false] {
        let ledger = Ledger::default();
        let crashes = Arc::new(AtomicBool::new(true));
        let tool = {
            let (ledger, crashes) = (ledger.clone(), Arc::clone(&crashes));
            ToolDef::new("t")
                .commits()
                .handler(move |ctx: Ctx, call: Call| {
                    let (ledger, crashes) = (ledger.clone(), Arc::clone(&crashes));
                    async move {
                        let _who: String = ctx.ask("who", "Who?").await;
                        let _c = commit(ctx).await;
                        if crashes.load(Ordering::SeqCst) {
                            return Err(ToolError::unknown(call.flow_id()));
                        }
                        ledger.write("paid");
                        "paid".into_tool_result()
                    }
                })
        };
        let store = Arc::new(MemoryStore::new());
        let flows = Flows::new(Arc::clone(&store), keys());
        let desk = Desk::with_store(tool, store);
        let (_, state) = desk.first().await;
        let id = desk.flow_id(&state).await;
        assert_eq!(flows.find(id).await.unwrap(), None);
        let early = flows.resolve(id, Outcome::NothingHappened).await;
        assert!(matches!(early, Err(ResolveError::Nothing)));

        let text = text(desk.round(Some(&state), &[("who", ADA)]).await);
        assert!(text.starts_with(&id.to_string()), "{text}");
        assert_eq!(flows.find(id).await.unwrap(), Some(FoundState::Lost));
        let unknown = desk.bytes(Some(&state), &[("who", ADA)]).await;
        assert!(unknown.contains(&format!("Reference {id}")), "{unknown}");

        let endless = ToolResult::text("x".repeat(LARGEST_BODY));
        let refused = flows.resolve(id, Outcome::Happened(endless)).await;
        assert!(
            matches!(refused, Err(ResolveError::TooLarge { .. })),
            "{refused:?}"
        );
        assert_eq!(flows.find(id).await.unwrap(), Some(FoundState::Lost));

        crashes.store(false, Ordering::SeqCst);
        let outcome = if happened {
            Outcome::Happened(ToolResult::text("paid, receipt 4711"))
        } else {
            Outcome::NothingHappened
        };
        flows.resolve(id, outcome).await.unwrap();
        let told = desk.bytes(Some(&state), &[("who", ADA)]).await;
        if happened {
            assert!(told.contains("receipt 4711"), "{told}");
            assert!(ledger.lines().is_empty());
        } else {
            assert!(told.contains("paid") && !told.contains("4711"), "{told}");
            assert_eq!(ledger.lines(), ["paid"]);
        }
        let late = flows.resolve(id, Outcome::NothingHappened).await;
        assert!(matches!(late, Err(ResolveError::AlreadyEnded)));
        assert_eq!(flows.find(id).await.unwrap(), Some(FoundState::Ended));
    }
}
