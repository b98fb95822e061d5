//! Running a tool for one request: limits, shielding, and what goes back.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use mrtr_core::ident;
use mrtr_core::round::Round;
use mrtr_core::seal::Bind;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinHandle;
use tokio_util::sync::DropGuard;
use tracing::Instrument;

use crate::call::Call;
use crate::client::ClientCapabilities;
use crate::ctx::Ctx;
use crate::observe::{Event, EventKind};
use crate::tool::Tool;

use super::drive::{Driver, Turn, Working};
use super::{CommitStep, Ended, Run, outcome};

/// Everything one run of a tool needs.
pub(crate) struct Execution {
    pub(crate) tool: Arc<Tool>,
    pub(crate) call: Call,
    pub(crate) round: Round,
    pub(crate) client: ClientCapabilities,
    pub(crate) bind: Bind,
    /// How long the handler may run before its commit.
    pub(crate) time_limit: Duration,
    /// How long a caller waits for a commit.
    pub(crate) commit_limit: Duration,
    /// The handler's place among those that may run at once; it is free when the run is over.
    pub(crate) permit: Option<OwnedSemaphorePermit>,
}

/// Runs a tool for one request.
///
/// Dropping the future cancels the handler. A tool with a commit runs in a task of its own: once
/// its commit has begun nothing drops it, and a caller who leaves only loses the reply.
pub(crate) async fn execute(execution: Execution) -> Ended {
    let (time_limit, commit_limit) = (execution.time_limit, execution.commit_limit);
    let leaving = execution.call.0.cancelled.clone().drop_guard();
    if execution.tool.commits {
        return detached(execution, time_limit, commit_limit, leaving).await;
    }
    let handler = Arc::clone(&execution.call.0.handler);
    let work = run(execution, Arc::new(Phase::default()));
    let ended = match tokio::time::timeout(time_limit, work).await {
        Ok(ended) => ended,
        Err(_) => timed_out(&handler, time_limit),
    };
    leaving.disarm();
    ended
}

/// Runs a tool with a commit in a task of its own.
async fn detached(
    execution: Execution,
    time_limit: Duration,
    commit_limit: Duration,
    leaving: DropGuard,
) -> Ended {
    let handler = Arc::clone(&execution.call.0.handler);
    let flow = execution.call.flow_id();
    let phase = Arc::new(Phase::default());
    let tasks = execution.call.0.shared.tasks.clone();
    let work = run(execution, Arc::clone(&phase)).in_current_span();
    let mut shielded = Shielded {
        task: tasks.spawn(work),
        phase: Arc::clone(&phase),
        leaving: Some(leaving),
    };
    if let Ok(ended) = tokio::time::timeout(time_limit, &mut shielded).await {
        return ended;
    }
    if phase.cancel() {
        return timed_out(&handler, time_limit);
    }
    match tokio::time::timeout(commit_limit, &mut shielded).await {
        Ok(ended) => ended,
        Err(_) => Ended::tool_error(format!(
            "the outcome of this call is not known yet; do not start it anew. Reference {flow}"
        )),
    }
}

fn timed_out(handler: &str, limit: Duration) -> Ended {
    tracing::warn!(handler, ?limit, "the handler took longer than its limit");
    Ended::tool_error("the tool took too long and was stopped; nothing was carried out")
}

/// Who was first: the handler with its commit, or the caller with leaving.
#[derive(Default)]
struct Phase(AtomicU8);

impl Phase {
    const RUNNING: u8 = 0;
    const COMMITTING: u8 = 1;
    const CANCELLED: u8 = 2;

    fn commit(&self) -> bool {
        self.leave_running(Self::COMMITTING)
    }

    fn cancel(&self) -> bool {
        self.leave_running(Self::CANCELLED)
    }

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire) == Self::CANCELLED
    }

    fn leave_running(&self, to: u8) -> bool {
        self.0
            .compare_exchange(Self::RUNNING, to, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }
}

/// A run that its caller waits for; it is dropped with the caller only before the commit.
struct Shielded {
    task: JoinHandle<Ended>,
    phase: Arc<Phase>,
    leaving: Option<DropGuard>,
}

impl Future for Shielded {
    type Output = Ended;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Ended> {
        Pin::new(&mut self.task).poll(cx).map(|joined| {
            if let Some(guard) = self.leaving.take() {
                guard.disarm();
            }
            joined.unwrap_or_else(|_| Ended::internal())
        })
    }
}

impl Drop for Shielded {
    fn drop(&mut self) {
        // A run that was cancelled by its time limit must be dropped, too.
        if self.phase.cancel() || self.phase.is_cancelled() {
            self.task.abort();
        }
    }
}

/// Runs the handler to its end and makes the answer.
async fn run(execution: Execution, phase: Arc<Phase>) -> Ended {
    let Execution {
        tool,
        call,
        round,
        client,
        bind,
        permit: _permit,
        ..
    } = execution;
    let run = Arc::new(Run::new(round));
    let ctx = Ctx::new(Arc::clone(&run), call.clone(), client);
    let mut handler: Working = tool.start(ctx, call.clone());
    let ended = loop {
        match (Driver {
            handler: &mut handler,
            run: &run,
        })
        .await
        {
            Turn::Finished(result) => {
                let handler = call.handler();
                break match result {
                    Ok(result) => Ended::Complete(result),
                    Err(error) => outcome::of_error(handler, error),
                };
            }
            Turn::Stopped => break stopped(&run, &call),
            Turn::Asked => break asked(&run, &call, &bind),
            Turn::Panicked => {
                tracing::error!(handler = call.handler(), "the handler panicked");
                break Ended::internal();
            }
            Turn::Committing if phase.commit() => grant(&run, &call),
            Turn::Committing => break Ended::Cancelled,
        }
    };
    // A handler that is dropped may run destructors that ask nothing but take time: not under the lock.
    drop(handler);
    tell(&run, &call, &ended);
    ended
}

/// Lets the commit through.
fn grant(run: &Run, call: &Call) {
    let waker = {
        let mut state = run.lock();
        state.round.commit();
        std::mem::replace(&mut state.commit, CommitStep::Granted)
    };
    event(call, EventKind::Committed);
    if let CommitStep::Wanted(waker) = waker {
        waker.wake();
    }
}

fn stopped(run: &Run, call: &Call) -> Ended {
    match run.lock().end.take() {
        Some(end) => outcome::of_end(call.handler(), &end),
        None => Ended::internal(),
    }
}

/// Seals the state and sends the questions.
fn asked(run: &Run, call: &Call, bind: &Bind) -> Ended {
    let shared = &call.0.shared;
    let mut state = run.lock();
    let minted = match state.round.mint(shared.world.now()) {
        Ok(minted) => minted,
        Err(end) => return outcome::of_end(call.handler(), &end),
    };
    let mut nonce = [0; 24];
    if let Err(error) = shared.world.random(&mut nonce) {
        tracing::error!(%error, "a request state could not be sealed");
        return Ended::internal();
    }
    let text = shared.sealer.seal(&minted.state, bind, nonce);
    if text.len() > shared.limits.state {
        let end = state.round.too_large(&minted, text.len());
        return outcome::of_end(call.handler(), &end);
    }
    Ended::Asked {
        questions: minted.questions,
        state: text,
    }
}

/// Tells observers and the log what happened in the run.
fn tell(run: &Run, call: &Call, ended: &Ended) {
    for happened in run.lock().round.take_events() {
        let key = happened.key.as_str();
        event(
            call,
            EventKind::Ask {
                key,
                outcome: happened.outcome,
            },
        );
    }
    if let Some(ending) = ended.ending() {
        event(call, EventKind::Ended(ending));
    }
}

fn event(call: &Call, kind: EventKind<'_>) {
    let flow = Some(ident::flow_id(&call.0.root));
    let event = Event {
        handler: call.handler(),
        flow,
        round: call.0.round,
        kind,
    };
    tracing::debug!(?event, "flow");
    call.0.shared.tell(&event);
}
