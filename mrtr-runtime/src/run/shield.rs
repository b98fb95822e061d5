//! Who may drop a running handler: its caller before the commit, nobody afterwards.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};

use tokio::task::JoinHandle;

use crate::call::Call;

use super::{Ended, Run};

/// Who was first: the handler with its commit, the caller with leaving, or the time limit.
#[derive(Default)]
pub(super) struct Phase(AtomicU8);

impl Phase {
    const RUNNING: u8 = 0;
    const COMMITTING: u8 = 1;
    const LEFT: u8 = 2;
    const TIMED_OUT: u8 = 3;

    /// The handler reached its commit; false when it was stopped before.
    pub(super) fn commit(&self) -> bool {
        self.end_running(Self::COMMITTING)
    }

    /// The time limit is over; false when the commit began before.
    pub(super) fn time_out(&self) -> bool {
        self.end_running(Self::TIMED_OUT)
    }

    /// Whether the time limit stopped the handler.
    pub(super) fn timed_out(&self) -> bool {
        self.0.load(Ordering::Acquire) == Self::TIMED_OUT
    }

    /// The caller leaves; false when the commit began before.
    fn leave(&self) -> bool {
        self.end_running(Self::LEFT)
    }

    fn end_running(&self, to: u8) -> bool {
        self.0
            .compare_exchange(Self::RUNNING, to, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }
}

/// Tells the handler that its caller has left, unless the caller stays to the end. It holds the
/// call, so that it must go with the caller.
pub(super) struct Leaving {
    call: Call,
    stays: bool,
}

impl Leaving {
    pub(super) fn new(call: &Call) -> Self {
        Self {
            call: call.clone(),
            stays: false,
        }
    }

    pub(super) fn call(&self) -> &Call {
        &self.call
    }

    pub(super) fn stays(mut self) {
        self.stays = true;
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        if !self.stays {
            self.call.0.cancellation().cancel();
        }
    }
}

/// A run that its caller waits for; it is dropped with the caller only before the commit.
pub(super) struct Shielded {
    task: JoinHandle<Ended>,
    run: Arc<Run>,
    leaving: Option<Leaving>,
}

impl Shielded {
    /// Shields a run in a task of its own; `leaving` tells the handler that its caller left.
    pub(super) fn new(task: JoinHandle<Ended>, run: Arc<Run>, leaving: Leaving) -> Self {
        Self {
            task,
            run,
            leaving: Some(leaving),
        }
    }
}

impl Future for Shielded {
    type Output = Ended;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Ended> {
        Pin::new(&mut self.task).poll(cx).map(|joined| {
            if let Some(leaving) = self.leaving.take() {
                leaving.stays();
            }
            joined.unwrap_or_else(|_| Ended::internal())
        })
    }
}

impl Drop for Shielded {
    fn drop(&mut self) {
        // A run that was cancelled by its time limit must be dropped, too.
        let phase = &self.run.phase;
        if phase.leave() || phase.timed_out() {
            self.task.abort();
        }
    }
}
