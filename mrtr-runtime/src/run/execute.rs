//! Running a handler for one request, within its limits.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use mrtr_core::seal::Bind;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::coop::unconstrained;
use tokio::time::Instant;
use tracing::Instrument;

use crate::call::Call;
use crate::client::ClientCapabilities;
use crate::flow::{Epoch, FlowError};
use crate::handler::Handler;

use super::settle::{Settlement, Settling};
use super::shield::{Leaving, Shielded};
use super::telling::Telling;
use super::work::work;
use super::{Ended, Live, Run};

/// Everything one run of a handler needs.
pub(crate) struct Execution {
    pub(crate) handler: Arc<Handler>,
    pub(crate) call: Call,
    pub(crate) run: Arc<Run>,
    pub(crate) client: ClientCapabilities,
    pub(crate) bind: Bind,
    /// The epoch of the flow store that the request is bound to, for a tool that commits.
    pub(crate) epoch: Option<Epoch>,
    /// How long the handler may run before its commit.
    pub(crate) time_limit: Duration,
    /// How long a caller waits for a commit.
    pub(crate) commit_limit: Duration,
    /// The handler's place among those that may run at once; it is free when the run is over.
    pub(crate) permit: Option<OwnedSemaphorePermit>,
}

impl Execution {
    /// What the run may settle; none without a flow store, and for handlers without a commit.
    pub(super) fn settling(&self) -> Option<Settling> {
        Some(Settling {
            epoch: self.epoch?,
            takeover: self.handler.takeover,
        })
    }

    /// The flow's record, for a request that presents a state of a tool that commits.
    pub(super) fn settlement(&self) -> Option<Settlement> {
        let state = self.run.lock();
        self.settling()?.flow(&self.call, &state.round, &self.bind)
    }
}

/// Runs a handler for one request.
///
/// Dropping the future cancels the handler. A tool with a commit runs in a task of its own: once
/// its commit has begun nothing drops it, and a caller who leaves only loses the reply.
pub(crate) fn execute(execution: Execution) -> impl Future<Output = Ended> + Send {
    let run = Arc::clone(&execution.run);
    // No async function, whose future would have room for the execution twice.
    async move {
        let telling = Telling::new(execution.call.clone(), Arc::clone(&run));
        let leaving = Leaving::new(&execution.call);
        if execution.handler.commits {
            // Boxed, as other handlers would have to make room for it.
            return Box::pin(detached(execution, telling, run, leaving)).await;
        }
        let time_limit = execution.time_limit;
        let mut work = pin!(work(execution, None, telling));
        let ended = within(time_limit, run.live.as_deref(), work.as_mut()).await;
        let ended = ended.unwrap_or_else(|| {
            run.phase.time_out();
            timed_out(leaving.call(), false, time_limit)
        });
        leaving.stays();
        ended
    }
}

/// Runs a tool with a commit in a task of its own, unless its flow has a record that answers.
///
/// Waiting for what another request with the same answers comes to is no time of the handler's: it
/// has not begun, and nobody may be told that nothing was carried out.
async fn detached(
    execution: Execution,
    mut telling: Telling,
    run: Arc<Run>,
    leaving: Leaving,
) -> Ended {
    let settlement = execution.settlement().map(Box::new);
    if let Some(settlement) = &settlement
        && let Some(ended) = settlement.look().await
    {
        telling.ended(&ended);
        leaving.stays();
        return ended;
    }
    let call = execution.call.clone();
    let (time_limit, commit_limit) = (execution.time_limit, execution.commit_limit);
    let tasks = execution.call.0.shared.tasks.clone();
    let known = settlement.clone();
    let work = work(execution, settlement, telling).in_current_span();
    let mut shielded = Shielded::new(tasks.spawn(work), Arc::clone(&run), leaving);
    if let Some(ended) = within(time_limit, run.live.as_deref(), &mut shielded).await {
        return ended;
    }
    if run.phase.time_out() {
        // Another request with the same answers may be what it waited for, or have been faster.
        let met = match known {
            Some(settlement) => settlement.met_now().await,
            None => None,
        };
        return met.unwrap_or_else(|| timed_out(&call, true, time_limit));
    }
    match tokio::time::timeout(commit_limit, &mut shielded).await {
        Ok(ended) => ended,
        Err(_) => Ended::tool_error(FlowError::Unknown.text(call.flow_id())),
    }
}

/// What comes of the work, unless it takes longer than the limit.
///
/// Most work is done by its first poll, and needs no timer; what that poll took counts.
async fn within(
    limit: Duration,
    live: Option<&Live>,
    work: impl Future<Output = Ended>,
) -> Option<Ended> {
    let begin = Instant::now();
    let mut work = pin!(work);
    let mut timer = None;
    poll_fn(|cx| match work.as_mut().poll(cx) {
        Poll::Ready(ended) => Poll::Ready(Some(ended)),
        Poll::Pending => {
            let timer = timer.get_or_insert_with(|| {
                let left = limit.saturating_sub(begin.elapsed());
                // Work that uses up its share of the runtime leaves the timer none.
                Box::pin(unconstrained(over(left, live)))
            });
            timer.as_mut().poll(cx).map(|()| None)
        }
    })
    .await
}

/// When the limit is over; a handler that waits for an answer is not at work.
async fn over(limit: Duration, live: Option<&Live>) {
    match live {
        None => tokio::time::sleep(limit).await,
        Some(live) => live.worked(limit).await,
    }
}

fn timed_out(call: &Call, commits: bool, limit: Duration) -> Ended {
    tracing::warn!(
        handler = call.handler(),
        ?limit,
        "the handler took longer than its limit"
    );
    // Only a commit is a place that can be known not to have been reached.
    let nothing = if commits {
        "; nothing was carried out"
    } else {
        ""
    };
    let noun = call.0.kind.noun();
    let text = format!("the {noun} took too long and was stopped{nothing}");
    Ended::failure(call.0.kind, text)
}
