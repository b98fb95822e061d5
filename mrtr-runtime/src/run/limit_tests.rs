//! What ends a handler before it is done: its time limit, and a caller who leaves.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::desk::{Desk, text};
use crate::call::Call;
use crate::content::ToolResult;
use crate::ctx::Ctx;
use crate::tool::ToolDef;

fn within<F>(limit: Duration, handler: impl Fn(Call) -> F + Send + Sync + 'static) -> Desk
where
    F: Future<Output = &'static str> + Send + 'static,
{
    let tool = ToolDef::new("t").handler(move |_: Ctx, call: Call| {
        let work = handler(call);
        async move { Ok(ToolResult::text(work.await)) }
    });
    let mut desk = Desk::new(tool);
    desk.time_limit = limit;
    desk
}

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[tokio::test(start_paused = true)]
async fn a_handler_is_stopped_when_its_time_is_over() {
    let waits = |limit| {
        within(limit, |_| async {
            for _ in 0..100 {
                tokio::time::sleep(millis(10)).await;
            }
            "late"
        })
    };
    let start = tokio::time::Instant::now();
    let answer = text(waits(millis(995)).round(None, &[]).await);
    assert!(answer.contains("took too long"), "{answer}");
    assert_eq!(start.elapsed().as_millis(), 995);
    assert_eq!(text(waits(Duration::MAX).round(None, &[]).await), "late");
}

/// Nothing can stop it before it waits for the first time; what it did until then counts.
#[tokio::test]
async fn what_a_handler_does_before_it_waits_counts() {
    let desk = within(millis(100), |_| async {
        std::thread::sleep(millis(150));
        tokio::time::sleep(millis(50)).await;
        "late"
    });
    let answer = text(desk.round(None, &[]).await);
    assert!(answer.contains("took too long"), "{answer}");
}

#[tokio::test]
async fn a_handler_that_never_rests_is_stopped() {
    type Rest = fn() -> Pin<Box<dyn Future<Output = ()> + Send>>;
    let rests: [Rest; 2] = [
        || Box::pin(tokio::task::yield_now()),
        // It is ready until its share of the runtime is used up.
        || Box::pin(tokio::task::consume_budget()),
    ];
    for rest in rests {
        let desk = within(millis(60), move |_| async move {
            loop {
                rest().await;
            }
        });
        // In a task, because nothing else has a share.
        let run = tokio::spawn(async move { text(desk.round(None, &[]).await) });
        let answer = tokio::time::timeout(Duration::from_secs(60), run).await;
        let answer = answer.expect("it is stopped").unwrap();
        assert!(answer.contains("took too long"), "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_handler_is_told_that_its_caller_has_left() {
    for (leaves, waits_before) in [(false, false), (false, true), (true, false), (true, true)] {
        let kept = Arc::new(Mutex::new(None));
        let keep = Arc::clone(&kept);
        let desk = within(Duration::from_secs(5), move |call| {
            *keep.lock().unwrap() = Some(call);
            async {
                tokio::time::sleep(millis(500)).await;
                "done"
            }
        });
        let mut round = Box::pin(desk.round(None, &[]));
        assert!(tokio::time::timeout(millis(100), &mut round).await.is_err());
        let call: Call = kept.lock().unwrap().take().expect("it has begun");
        let told = async |call: Call| {
            let cancelled = call.cancelled();
            tokio::time::timeout(millis(1000), cancelled).await.is_ok()
        };
        assert!(!call.is_cancelled());
        let waiting = waits_before.then(|| {
            let call = call.clone();
            tokio::spawn(async move { call.cancelled().await })
        });
        tokio::task::yield_now().await;
        if leaves {
            drop(round);
        } else {
            assert_eq!(text(round.await), "done");
        }
        assert_eq!(call.is_cancelled(), leaves);
        assert_eq!(told(call).await, leaves);
        if let Some(waiting) = waiting {
            let ended = tokio::time::timeout(millis(1000), waiting).await.is_ok();
            assert_eq!(ended, leaves);
        }
    }
}
