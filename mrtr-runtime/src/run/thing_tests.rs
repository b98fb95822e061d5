//! What a commit about a thing of the author's leaves behind: for its own flow, and for other calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mrtr_core::reply::Confirm;

use super::Ended;
use super::desk::{Desk, NO, YES, text};
use super::store_tests::Ledger;
use crate::call::Call;
use crate::commit::commit;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::flow::MemoryStore;
use crate::result::IntoToolResult;
use crate::tool::{Tool, ToolDef};

/// Pays an invoice, which cannot be paid twice.
fn paying(ledger: &Ledger) -> Tool {
    let ledger = ledger.clone();
    ToolDef::new("t")
        .commits()
        .handler(move |ctx: Ctx, _call: Call| {
            let ledger = ledger.clone();
            async move {
                let ok: Confirm = ctx.ask("ok", "Pay A7?").await;
                if !ok.yes() {
                    return Err(ToolError::user("not paid"));
                }
                if !ledger.lines().is_empty() {
                    return Err(ToolError::user("A7 is paid already"));
                }
                let _c = commit(ctx).key("A7").await;
                tokio::time::sleep(Duration::from_millis(50)).await;
                ledger.write("A7");
                "paid A7".into_tool_result()
            }
        })
}

async fn at_the_confirmation(tool: Tool, store: MemoryStore) -> (Desk, String) {
    let desk = Desk::with_store(tool, store);
    let (_, state) = desk.first().await;
    (desk, state)
}

#[tokio::test(start_paused = true)]
async fn a_repeat_gets_the_recorded_bytes_although_the_thing_is_done() {
    let ledger = Ledger::default();
    let (desk, state) = at_the_confirmation(paying(&ledger), MemoryStore::new()).await;
    let first = desk.bytes(Some(&state), &[("ok", YES)]).await;
    assert!(first.contains("paid A7"), "{first}");
    assert_eq!(desk.bytes(Some(&state), &[("ok", YES)]).await, first);
    assert_eq!(ledger.lines(), ["A7"]);
}

#[tokio::test(start_paused = true)]
async fn a_no_after_the_commit_is_never_told_that_nothing_happened() {
    let ledger = Ledger::default();
    let (desk, state) = at_the_confirmation(paying(&ledger), MemoryStore::new()).await;
    let first = desk.bytes(Some(&state), &[("ok", YES)]).await;
    let late = text(desk.round(Some(&state), &[("ok", NO)]).await);
    assert!(late.contains("ended with other answers"), "{late}");
    assert_eq!(desk.bytes(Some(&state), &[("ok", YES)]).await, first);
}

#[tokio::test(start_paused = true)]
async fn a_no_during_the_commit_is_told_that_it_comes_too_late() {
    let ledger = Ledger::default();
    let (desk, state) = at_the_confirmation(paying(&ledger), MemoryStore::new()).await;
    let (paid, late) = tokio::join!(desk.bytes(Some(&state), &[("ok", YES)]), async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        text(desk.round(Some(&state), &[("ok", NO)]).await)
    });
    assert!(paid.contains("paid A7"), "{paid}");
    assert!(late.contains("is being carried out"), "{late}");
}

/// Another call about the thing has the recorded result for its end, too.
#[tokio::test(start_paused = true)]
async fn a_second_call_ends_as_the_first_did() {
    let ledger = Ledger::default();
    let effects = ledger.clone();
    let tool = ToolDef::new("t")
        .commits()
        .handler(move |ctx: Ctx, _call: Call| {
            let ledger = effects.clone();
            async move {
                let ok: Confirm = ctx.ask("ok", "Pay A7?").await;
                if !ok.yes() {
                    return Err(ToolError::user("not paid"));
                }
                let _c = commit(ctx).key("A7").await;
                tokio::time::sleep(Duration::from_millis(50)).await;
                ledger.write("A7");
                "paid A7".into_tool_result()
            }
        });
    let (desk, one) = at_the_confirmation(tool, MemoryStore::new()).await;
    let two = desk.first_of(9).await;
    let (first, second) = tokio::join!(
        desk.bytes(Some(&one), &[("ok", YES)]),
        desk.bytes(Some(&two), &[("ok", YES)]),
    );
    assert!(first.contains("paid A7"), "{first}");
    assert_eq!(second, first);
    assert_eq!(ledger.lines(), ["A7"]);
    for state in [&one, &two] {
        let late = text(desk.round(Some(state), &[("ok", NO)]).await);
        assert!(late.contains("ended with other answers"), "{late}");
        assert_eq!(desk.bytes(Some(state), &[("ok", YES)]).await, first);
    }
}

#[tokio::test(start_paused = true)]
async fn what_did_nothing_frees_the_flow_and_the_thing() {
    let tries = Arc::new(AtomicUsize::new(0));
    let tool = ToolDef::new("t")
        .commits()
        .handler(move |ctx: Ctx, _call: Call| {
            let tries = Arc::clone(&tries);
            async move {
                let _: Confirm = ctx.ask("ok", "Pay A7?").await;
                let _c = commit(ctx).key("A7").await;
                match tries.fetch_add(1, Ordering::SeqCst) {
                    0 => Err(ToolError::nothing_done("the bank is closed")),
                    _ => "paid A7".into_tool_result(),
                }
            }
        });
    let (desk, state) = at_the_confirmation(tool, MemoryStore::new()).await;
    let closed = text(desk.round(Some(&state), &[("ok", YES)]).await);
    assert_eq!(closed, "the bank is closed");
    let paid = desk.round(Some(&state), &[("ok", YES)]).await;
    assert!(matches!(paid, Ended::Recorded(_)), "{paid:?}");
}

/// There is room for the flow's record and none for the thing's: both are as free as before.
#[tokio::test(start_paused = true)]
async fn a_thing_that_cannot_be_claimed_leaves_its_flow_free() {
    let ledger = Ledger::default();
    let store = MemoryStore::new().records(1);
    let (desk, state) = at_the_confirmation(paying(&ledger), store).await;
    for _ in 0..2 {
        let full = text(desk.round(Some(&state), &[("ok", YES)]).await);
        assert!(full.contains("carried out nothing"), "{full}");
    }
    let no = text(desk.round(Some(&state), &[("ok", NO)]).await);
    assert_eq!(no, "not paid");
    assert!(ledger.lines().is_empty());
}
