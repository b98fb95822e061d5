//! The commit: the right to have effects, given once and only when no question is open.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use mrtr_core::ident::{self, FlowId};
use serde::Serialize;

use crate::call::Call;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::run::{CommitStep, CommitTerms, Run};

/// The right to have effects: `c` in `#[commit(c)]`.
///
/// Nobody can make one. A helper that takes `&mut Commit` can therefore be called only inside a
/// commit, which stands after the last ask.
pub struct Commit {
    call: Call,
    in_flow: bool,
}

impl Commit {
    /// An idempotency key for this name: the same in all rounds, repeats, forks and instances of
    /// the flow. Send it to what you call.
    ///
    /// Where the very first request commits, without any question, nothing names the flow and the
    /// key holds for this run only: see [`Commit::flow`].
    #[must_use]
    pub fn key(&self, name: &str) -> String {
        self.call.key(name)
    }

    /// An idempotency key for an effect on a thing, such as `("pay", &(invoice, amount))`: the same
    /// for a second call by the same caller about the same thing.
    ///
    /// # Errors
    /// When the value does not serialise as JSON.
    pub fn key_for(&self, name: &str, value: &impl Serialize) -> Result<String, ToolError> {
        let text = serde_json::to_string(value)?;
        let shared = &self.call.0.shared;
        let canonical = mrtr_core::json::canonical_text(&text, shared.limits.depth)?;
        Ok(ident::idempotency_key_for(
            shared.realm.name(),
            self.call.principal(),
            name,
            &canonical,
        ))
    }

    /// The flow; `None` when the first request committed, so that no state names it and a repeat
    /// of the request would be another flow.
    #[must_use]
    pub fn flow(&self) -> Option<FlowId> {
        self.in_flow.then(|| self.call.flow_id())
    }

    /// The call: progress, log, cancellation.
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }
}

impl fmt::Debug for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commit")
            .field("flow", &self.flow())
            .finish_non_exhaustive()
    }
}

/// Waits until no question is open and the driver lets the commit through.
///
/// Taking the [`Ctx`] by value is what keeps asks before the commit: the borrow checker refuses an
/// ask that could follow it.
pub fn commit(ctx: Ctx) -> CommitGate {
    let (run, call) = ctx.into_parts();
    CommitGate {
        run,
        call: Some(call),
        terms: CommitTerms::default(),
    }
}

/// What the `key` of a commit can be: anything with a text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the `key` of a commit: it has no text",
    label = "not a `Display`",
    note = "the key becomes the name of the record: write something of it that has a text, such as `key = invoice.id`, or implement `Display`"
)]
pub trait CommitKey {
    /// The text that tells the thing from others.
    fn record_name(&self) -> String;
}

#[diagnostic::do_not_recommend]
impl<T: fmt::Display + ?Sized> CommitKey for T {
    fn record_name(&self) -> String {
        self.to_string()
    }
}

/// A commit that waits to be let through.
#[must_use = "a commit begins when it is awaited"]
pub struct CommitGate {
    run: Arc<Run>,
    call: Option<Call>,
    terms: CommitTerms,
}

impl CommitGate {
    /// Claims the thing that the commit is about, too: a second call of the same caller about the
    /// same thing then finds it, for as long as [`thing_ttl`](crate::Server::thing_ttl) says.
    pub fn key<T: CommitKey + ?Sized>(mut self, thing: &T) -> Self {
        self.terms.thing = Some(thing.record_name());
        self
    }

    /// Wants a flow even where nothing was asked: the client is sent round once, with a state and
    /// no question.
    pub fn in_flow(mut self) -> Self {
        self.terms.in_flow = true;
        self
    }
}

impl fmt::Debug for CommitGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommitGate")
            .field("terms", &self.terms)
            .finish_non_exhaustive()
    }
}

impl Drop for CommitGate {
    /// The waker in the run's state is the run itself: left there, it would keep the run for ever.
    fn drop(&mut self) {
        let mut state = self.run.lock();
        if matches!(state.commit, CommitStep::Wanted(..)) {
            let wanted = std::mem::replace(&mut state.commit, CommitStep::None);
            drop(state);
            drop(wanted);
        }
    }
}

impl Future for CommitGate {
    type Output = Commit;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Commit> {
        let in_flow = {
            let mut state = self.run.lock();
            if !matches!(state.commit, CommitStep::Granted) {
                state.commit = CommitStep::Wanted(cx.waker().clone(), self.terms.clone());
                return Poll::Pending;
            }
            state.round.presented()
        };
        let call = self
            .call
            .take()
            .expect("a commit gate is not polled after it has opened");
        Poll::Ready(Commit { call, in_flow })
    }
}
