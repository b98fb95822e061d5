//! One run from its first poll to its answer: the handler, its commit, and the flow's record.

use std::sync::Arc;
use std::time::Duration;

use mrtr_core::principal::Principal;
use mrtr_core::round::End;
use mrtr_core::seal::Bind;

use crate::call::Call;
use crate::ctx::Ctx;
use crate::error::Certainty;
use crate::flow::{Caller, ClaimId, FlowError, KEEP_MARGIN};
use crate::handler::HandlerResult;
use crate::observe::{Event, EventKind};

use super::drive::{Driver, Turn, Working};
use super::execute::Execution;
use super::settle::{Hold, Name, NotClaimed, Settlement};
use super::shield::Phase;
use super::{CommitStep, CommitTerms, Ended, Run, outcome};

/// How long a commit may run at all; then it is dropped and its outcome is unknown.
const HARD_LIMIT: Duration = Duration::from_secs(600);

/// What a handler's run came to, before the store has a say.
enum Came {
    /// The handler returned.
    Result(HandlerResult),
    /// The call ends without the handler's result.
    Stopped(End),
    /// The handler panicked.
    Panicked,
    /// The commit took far too long, or the server went down around it.
    Lost,
    /// The answer is known: questions, or a commit that was not let through.
    Answered(Ended),
}

/// Runs the handler to its end and makes the answer.
pub(super) async fn work(execution: Execution, phase: Arc<Phase>) -> Ended {
    let settlement = settlement(&execution);
    if let Some(settlement) = &settlement
        && let Some(ended) = settlement.look().await
    {
        tell_ending(&execution.call, &ended);
        return ended;
    }
    let Execution {
        handler,
        call,
        round,
        client,
        bind,
        live,
        permit: _permit,
        ..
    } = execution;
    let run = Arc::new(Run::new(round, live));
    let ctx = Ctx::new(Arc::clone(&run), call.clone(), client);
    let working = handler.start(ctx, call.clone());
    let mut work = Work {
        run,
        call,
        bind,
        settlement,
        hold: None,
        takeover: handler.takeover,
    };
    let came = work.drive(working, &phase).await;
    let ended = work.settle(came).await;
    work.tell(&ended);
    ended
}

/// The store's part, for a request that presents a state of a tool that commits.
pub(super) fn settlement(execution: &Execution) -> Option<Settlement> {
    if !execution.round.presented() {
        return None;
    }
    let shared = &execution.call.0.shared;
    let name = Name::of_flow(&shared.realm, &execution.round, &execution.bind);
    let left = execution.round.flow_end() - execution.round.start();
    let keep = Duration::from_millis(left) + KEEP_MARGIN;
    Some(Settlement {
        store: Arc::clone(shared.flows.as_ref()?),
        epoch: execution.epoch?,
        name,
        id: ClaimId([0; 16]),
        caller: caller(&execution.call),
        flow: execution.call.flow_id(),
        keep,
        takeover: execution.handler.takeover,
        shared: Arc::clone(shared),
    })
}

/// Whose record it is, keyed so that nobody who reads the store can guess the caller from it.
fn caller(call: &Call) -> Option<Caller> {
    let principal = call.0.principal.as_ref()?;
    let digest = call
        .0
        .shared
        .sealer
        .log_digest(&Principal::encode(Some(principal)));
    let mut name = [0; 16];
    for (place, byte) in name.iter_mut().zip(digest.bytes()) {
        *place = byte;
    }
    Some(Caller(name))
}

/// A run at work.
struct Work {
    run: Arc<Run>,
    call: Call,
    bind: Bind,
    settlement: Option<Settlement>,
    /// The claim, while it is held.
    hold: Option<Hold>,
    takeover: bool,
}

impl Work {
    /// Polls the handler until it comes to something, and drops it.
    async fn drive(&mut self, mut handler: Working, phase: &Phase) -> Came {
        loop {
            let driver = Driver {
                handler: &mut handler,
                run: &self.run,
            };
            let turn = if self.run.lock().round.committed() {
                tokio::select! {
                    turn = driver => turn,
                    () = self.lost() => return Came::Lost,
                }
            } else {
                driver.await
            };
            match turn {
                Turn::Finished(result) => return Came::Result(result),
                Turn::Stopped => return self.stopped(),
                Turn::Asked => return Came::Answered(self.asked()),
                Turn::Panicked => return Came::Panicked,
                Turn::Committing => match self.commit(phase).await {
                    Ok(()) => self.grant(),
                    Err(NotClaimed::Answer(ended)) => return Came::Answered(ended),
                    Err(NotClaimed::Met) => {
                        // Nobody waits while a handler holds what others may need.
                        drop(handler);
                        return Came::Answered(self.result_of_another().await);
                    }
                },
            }
        }
    }

    /// When a commit that runs is given up.
    async fn lost(&self) {
        let shared = &self.call.0.shared;
        tokio::select! {
            () = tokio::time::sleep(HARD_LIMIT) => {}
            () = shared.lost.cancelled() => {}
        }
        tracing::error!(flow = %self.call.flow_id(), "a commit was given up; its outcome is unknown");
    }

    fn stopped(&self) -> Came {
        let mut state = self.run.lock();
        let forgotten = || {
            let key = state.round.in_flight().next()?;
            Some(End::Abandoned(key.clone()))
        };
        match forgotten()
            .filter(|_| state.end.is_none())
            .or(state.end.take())
        {
            Some(end) => Came::Stopped(end),
            None => Came::Panicked,
        }
    }

    /// Claims the flow for the commit that the handler reached.
    async fn commit(&mut self, phase: &Phase) -> Result<(), NotClaimed> {
        let (terms, presented) = {
            let state = self.run.lock();
            match &state.commit {
                CommitStep::Wanted(_, terms) => (terms.clone(), state.round.presented()),
                _ => (CommitTerms::default(), state.round.presented()),
            }
        };
        if terms.in_flow && !presented {
            return Err(NotClaimed::Answer(self.asked()));
        }
        if !phase.commit() {
            return Err(NotClaimed::Answer(Ended::Cancelled));
        }
        if let Some(thing) = &terms.thing {
            self.settlement = self.about(thing).await?;
        }
        if let Some(settlement) = &mut self.settlement {
            self.hold = Some(settlement.claim().await?);
        }
        Ok(())
    }

    /// The store's part for a commit about a thing that the author named.
    async fn about(&self, thing: &str) -> Result<Option<Settlement>, NotClaimed> {
        let shared = &self.call.0.shared;
        let Some(store) = &shared.flows else {
            return Ok(None);
        };
        let epoch = store.epoch().await.map_err(|error| {
            tracing::error!(%error, "nothing was carried out");
            let text = FlowError::Unavailable.text(self.call.flow_id());
            NotClaimed::Answer(Ended::tool_error(text))
        })?;
        let principal = self.call.0.principal.as_ref();
        let (name, keep) = {
            let state = self.run.lock();
            let round = &state.round;
            let tool = self.call.handler();
            let name = Name::of_thing(&shared.realm, principal, tool, thing, round, &self.bind);
            let keep = Duration::from_millis(round.flow_end() - round.start()) + KEEP_MARGIN;
            (name, keep)
        };
        Ok(Some(Settlement {
            store: Arc::clone(store),
            epoch,
            name,
            id: ClaimId([0; 16]),
            caller: caller(&self.call),
            flow: self.call.flow_id(),
            keep,
            takeover: self.takeover,
            shared: Arc::clone(shared),
        }))
    }

    /// Lets the commit through.
    fn grant(&self) {
        let step = {
            let mut state = self.run.lock();
            state.round.commit();
            std::mem::replace(&mut state.commit, CommitStep::Granted)
        };
        self.tell_asks();
        self.event(EventKind::Committed);
        if let CommitStep::Wanted(waker, _) = step {
            waker.wake();
        }
    }

    /// What another request with the same flow came to.
    async fn result_of_another(&self) -> Ended {
        let busy = || Ended::tool_error(FlowError::Busy.text(self.call.flow_id()));
        match &self.settlement {
            Some(settlement) => settlement.look().await.unwrap_or_else(busy),
            None => busy(),
        }
    }

    /// Seals the state and sends the questions.
    fn asked(&self) -> Ended {
        let shared = &self.call.0.shared;
        let mut state = self.run.lock();
        let minted = match state.round.mint(shared.world.now()) {
            Ok(minted) => minted,
            Err(end) => return outcome::of_end(&self.call, &end),
        };
        let mut nonce = [0; 24];
        if let Err(error) = shared.world.random(&mut nonce) {
            tracing::error!(%error, "a request state could not be sealed");
            return Ended::internal();
        }
        let text = shared.sealer.seal(&minted.state, &self.bind, nonce);
        if text.len() > shared.limits.state {
            let end = state.round.too_large(&minted, text.len());
            return outcome::of_end(&self.call, &end);
        }
        Ended::Asked {
            questions: minted.questions,
            state: text,
        }
    }

    /// Tells the store what the run came to, and makes the answer.
    async fn settle(&mut self, came: Came) -> Ended {
        if let Came::Answered(ended) = came {
            return ended;
        }
        let committed = self.run.lock().round.committed();
        let (ended, certainty, good) = self.answer(came, committed);
        match (&self.settlement, self.hold.take()) {
            (Some(settlement), Some(hold)) => settlement.finish(hold, ended, certainty).await,
            (Some(settlement), None) if !committed => {
                let said_no = self.run.lock().said_no;
                if good || said_no {
                    settlement.end(ended).await
                } else {
                    // A twin may have won meanwhile: "seat taken" may be our own seat.
                    settlement.look().await.unwrap_or(ended)
                }
            }
            _ => ended,
        }
    }

    /// The answer of a run, how sure it is, and whether it is a result that ends the flow.
    fn answer(&self, came: Came, committed: bool) -> (Ended, Certainty, bool) {
        let handler = self.call.handler();
        let unknown = || Ended::tool_error(FlowError::Unknown.text(self.call.flow_id()));
        match came {
            Came::Result(Ok(result)) => (Ended::Complete(result), Certainty::Ended, true),
            Came::Result(Err(error)) => {
                let certainty = error.certainty;
                (outcome::of_error(&self.call, error), certainty, false)
            }
            Came::Stopped(end) => {
                let no = matches!(end, End::Declined(_) | End::Cancelled(_));
                (outcome::of_end(&self.call, &end), Certainty::Ended, no)
            }
            Came::Panicked => {
                tracing::error!(handler, "the handler panicked");
                let ended = if committed {
                    unknown()
                } else {
                    Ended::internal()
                };
                (ended, Certainty::Unknown, false)
            }
            Came::Lost => (unknown(), Certainty::Unknown, false),
            Came::Answered(ended) => (ended, Certainty::NothingDone, false),
        }
    }

    /// Tells observers and the log what happened in the run, and how it ended.
    fn tell(&self, ended: &Ended) {
        self.tell_asks();
        tell_ending(&self.call, ended);
    }

    /// Tells of the asks since this was last done, so that they stand before what came of them.
    fn tell_asks(&self) {
        let events = self.run.lock().round.take_events();
        for happened in events {
            self.event(EventKind::Ask {
                key: happened.key.as_str(),
                outcome: happened.outcome,
            });
        }
    }

    fn event(&self, kind: EventKind<'_>) {
        tell(&self.call, kind);
    }
}

/// Tells how a call ended; one that got its result from the flow's record ends, too.
fn tell_ending(call: &Call, ended: &Ended) {
    if let Some(ending) = ended.ending() {
        tell(call, EventKind::Ended(ending));
    }
}

fn tell(call: &Call, kind: EventKind<'_>) {
    let event = Event {
        handler: call.handler(),
        flow: Some(call.flow_id()),
        round: call.0.round,
        kind,
    };
    tracing::debug!(?event, "flow");
    call.0.shared.tell(&event);
}
