//! Polling a handler until its run comes to something.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use crate::caught::caught;
use crate::handler::HandlerResult;

use super::step::{Polled, Seen, Step, next_step};
use super::{CommitStep, Run};

/// A handler at work.
pub(crate) type Working = Pin<Box<dyn Future<Output = HandlerResult> + Send>>;

/// What a handler's run came to, or where it stands.
pub(super) enum Turn {
    /// It returned.
    Finished(HandlerResult),
    /// It is to be dropped: its reason is in the run.
    Stopped,
    /// It is to be dropped: its questions go out.
    Asked,
    /// It waits for its commit to be let through.
    Committing,
    /// It panicked.
    Panicked,
}

/// Runs the handler to the next turn.
pub(super) struct Driver<'a> {
    pub(super) handler: &'a mut Working,
    pub(super) run: &'a Arc<Run>,
    /// Called after each poll, for a run that goes on while its questions are answered.
    pub(super) polled: &'a (dyn Fn() + Sync),
}

impl Future for Driver<'_> {
    type Output = Turn;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Turn> {
        let flag = &self.run.wake;
        flag.passes_on_to(cx.waker());
        let waker = Waker::from(Arc::clone(self.run));
        let mut spins = 0;
        loop {
            flag.woken.store(false, Ordering::Relaxed);
            let mut inner = Context::from_waker(&waker);
            let handler = self.handler.as_mut();
            let Some(poll) = caught(|| handler.poll(&mut inner)) else {
                return Poll::Ready(Turn::Panicked);
            };
            let polled = match &poll {
                Poll::Ready(_) => Polled::Ready,
                Poll::Pending => Polled::Pending {
                    woken: flag.woken.load(Ordering::Relaxed),
                },
            };
            if self.run.is_live() {
                (self.polled)();
            }
            match next_step(polled, self.seen(spins)) {
                Step::Finish => return poll.map(Turn::Finished),
                Step::Stop => return Poll::Ready(Turn::Stopped),
                Step::Mint => return Poll::Ready(Turn::Asked),
                Step::Commit => return Poll::Ready(Turn::Committing),
                Step::Again => spins += 1,
                Step::Wait => return Poll::Pending,
            }
        }
    }
}

impl Driver<'_> {
    fn seen(&self, spins: u8) -> Seen {
        let state = self.run.lock();
        Seen {
            ended: state.end.is_some(),
            open: state.round.has_open(),
            waiting: state.round.in_flight().next().is_some(),
            commit_wanted: matches!(state.commit, CommitStep::Wanted(..)),
            spins,
        }
    }
}

/// Remembers that there was a wake, and who is told of it.
#[derive(Default)]
pub(super) struct WakeFlag {
    woken: AtomicBool,
    outer: Mutex<Option<Waker>>,
}

impl WakeFlag {
    fn passes_on_to(&self, outer: &Waker) {
        let mut known = self.outer.lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref().is_some_and(|known| known.will_wake(outer)) {
            return;
        }
        let old = known.replace(outer.clone());
        // Dropping a waker may drop a task, so that nothing is held meanwhile.
        drop(known);
        drop(old);
    }

    fn wake(&self) {
        self.woken.store(true, Ordering::Relaxed);
        let outer = self.outer.lock().unwrap_or_else(PoisonError::into_inner);
        let outer = outer.clone();
        // Whoever is told may do anything, so that nothing is held meanwhile.
        if let Some(outer) = outer {
            outer.wake();
        }
    }
}

/// Passes wakes on. A waker of the run keeps the run: nothing in it may hold one for longer than the
/// handler lives.
impl Wake for Run {
    fn wake(self: Arc<Self>) {
        self.wake.wake();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.wake.wake();
    }
}
