//! One run from its first poll to its answer: the handler, its commit, and the flow's record.

use std::sync::Arc;

use mrtr_core::round::End;
use mrtr_core::seal::Bind;
use tokio::sync::OwnedSemaphorePermit;

use crate::call::Call;
use crate::caught::caught;
use crate::client::ClientCapabilities;
use crate::ctx::Ctx;
use crate::error::Certainty;
use crate::flow::FlowError;
use crate::handler::{Handler, HandlerResult};
use crate::world::NoEntropy;

use super::drive::{Driver, Turn, Working};
use super::execute::Execution;
use super::settle::{Hold, NotClaimed, Settlement, Settling};
use super::telling::Telling;
use super::{CommitStep, CommitTerms, Ended, Run, outcome};

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
pub(super) fn work(
    execution: Execution,
    settlement: Option<Box<Settlement>>,
    telling: Telling,
) -> impl Future<Output = Ended> + Send {
    let mut work = Work::new(execution, settlement, telling);
    async move { work.run().await }
}

/// A run at work.
struct Work {
    run: Arc<Run>,
    handler: Arc<Handler>,
    client: ClientCapabilities,
    call: Call,
    bind: Bind,
    settling: Option<Settling>,
    /// The flow's record, where another request can find it.
    settlement: Option<Box<Settlement>>,
    /// What is claimed: the flow, and the thing that its commit is about.
    holds: Vec<Hold>,
    telling: Telling,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Work {
    fn new(execution: Execution, settlement: Option<Box<Settlement>>, telling: Telling) -> Self {
        Self {
            settling: execution.settling(),
            settlement,
            run: execution.run,
            handler: execution.handler,
            client: execution.client,
            call: execution.call,
            bind: execution.bind,
            holds: Vec::new(),
            telling,
            _permit: execution.permit,
        }
    }

    /// Drives the handler and settles what it came to.
    async fn run(&mut self) -> Ended {
        self.telling.begin();
        let came = self.drive().await;
        let ended = self.settle(came).await;
        self.telling.ended(&ended);
        ended
    }

    /// The handler, at its top; none if it panicked before there was anything to poll.
    fn start(&self) -> Option<Working> {
        let ctx = Ctx::new(Arc::clone(&self.run), self.call.clone(), self.client);
        let call = self.call.clone();
        caught(|| self.handler.start(ctx, call))
    }

    /// Polls the handler until it comes to something, and drops it.
    async fn drive(&mut self) -> Came {
        let Some(mut handler) = self.start() else {
            return Came::Panicked;
        };
        loop {
            let driver = Driver {
                handler: &mut handler,
                run: &self.run,
                polled: &|| self.telling.asks(),
            };
            let turn = if self.run.lock().round.committed() {
                tokio::select! {
                    turn = driver => Some(turn),
                    () = Box::pin(self.lost()) => None,
                }
            } else {
                Some(driver.await)
            };
            // Not taken out of the option first, for which each request would make room.
            match turn {
                None => {
                    // What its destructors do is no reason to leave its claim to run out.
                    if caught(|| drop(handler)).is_none() {
                        tracing::error!(
                            "a handler that was given up panicked while it was dropped"
                        );
                    }
                    return Came::Lost;
                }
                Some(Turn::Finished(result)) => return Came::Result(result),
                Some(Turn::Stopped) => return self.stopped(),
                Some(Turn::Asked) if self.run.is_live() => {
                    drop(handler);
                    if !self.run.answered().await {
                        return self.stopped();
                    }
                    handler = match self.start() {
                        Some(handler) => handler,
                        None => return Came::Panicked,
                    };
                }
                Some(Turn::Asked) => return Came::Answered(self.asked()),
                Some(Turn::Panicked) => return Came::Panicked,
                Some(Turn::Committing) => match Box::pin(self.commit()).await {
                    Ok(()) => self.grant(),
                    Err(NotClaimed::Answer(ended)) => {
                        let ended = Box::pin(self.finish(ended, Certainty::NothingDone)).await;
                        return Came::Answered(ended);
                    }
                    Err(NotClaimed::Met(settlement)) => {
                        // Nobody waits while a handler holds what others may need.
                        drop(handler);
                        let ended = Box::pin(self.result_of_another(&settlement)).await;
                        return Came::Answered(ended);
                    }
                },
            }
        }
    }

    /// When a commit that runs is given up.
    async fn lost(&self) {
        let shared = &self.call.0.shared;
        tokio::select! {
            () = tokio::time::sleep(shared.hard_limit) => {}
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

    /// Claims what the commit that the handler reached is about: the flow, so that a repeat or a no
    /// that comes late finds its end, and the thing that the author named.
    async fn commit(&mut self) -> Result<(), NotClaimed> {
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
        if !self.run.phase.commit() {
            return Err(NotClaimed::Answer(Ended::Cancelled));
        }
        let thing = terms.thing.as_deref().and_then(|thing| self.about(thing));
        let flow = self.settlement.as_deref().cloned();
        for settlement in flow.into_iter().chain(thing) {
            self.holds.push(settlement.claim().await?);
        }
        Ok(())
    }

    /// The record of a thing that the author named.
    fn about(&self, thing: &str) -> Option<Settlement> {
        let state = self.run.lock();
        let settling = self.settling?;
        settling.thing(&self.call, &state.round, &self.bind, thing)
    }

    /// Lets the commit through.
    fn grant(&self) {
        let step = {
            let mut state = self.run.lock();
            state.round.commit();
            std::mem::replace(&mut state.commit, CommitStep::Granted)
        };
        self.telling.committed();
        if let CommitStep::Wanted(waker, _) = step {
            waker.wake();
        }
    }

    /// What another request came to whose record is in the way. If it is that of a thing, the flow
    /// ends with the same result; where there is none, the flow is as free as it was.
    async fn result_of_another(&mut self, settlement: &Settlement) -> Ended {
        let busy = || Ended::tool_error(FlowError::Busy.text(self.call.flow_id()));
        let ended = settlement.look().await.unwrap_or_else(busy);
        let certainty = match ended {
            Ended::Recorded(_) => Certainty::Ended,
            _ => Certainty::NothingDone,
        };
        self.finish(ended, certainty).await
    }

    /// Tells every record that is held what the run came to.
    async fn finish(&mut self, mut ended: Ended, certainty: Certainty) -> Ended {
        while let Some(hold) = self.holds.pop() {
            ended = hold.finish(ended, certainty).await;
        }
        ended
    }

    /// Seals the state and sends the questions.
    fn asked(&self) -> Ended {
        let shared = &self.call.0.shared;
        let mut state = self.run.lock();
        let minted = match state.round.mint(shared.world.now()) {
            Ok(minted) => minted,
            Err(end) => return outcome::of_end(&self.call, &end),
        };
        let random = match state.random.take().map_or_else(|| self.draw(), Ok) {
            Ok(random) => random,
            Err(error) => {
                tracing::error!(%error, "a request state could not be sealed");
                return Ended::internal();
            }
        };
        let text = shared.sealer.seal(&minted.state, &self.bind, random);
        if text.len() > shared.limits.state {
            let end = state.round.too_large(&minted, text.len());
            return outcome::of_end(&self.call, &end);
        }
        Ended::Asked {
            questions: minted.questions,
            state: text,
        }
    }

    fn draw(&self) -> Result<[u8; 24], NoEntropy> {
        let mut random = [0; 24];
        self.call.0.shared.world.random(&mut random)?;
        Ok(random)
    }

    /// Tells the store what the run came to, and makes the answer.
    async fn settle(&mut self, came: Came) -> Ended {
        if let Came::Answered(ended) = came {
            return ended;
        }
        let committed = self.run.lock().round.committed();
        let (ended, certainty, good) = self.answer(came, committed);
        if !self.holds.is_empty() {
            return Box::pin(self.finish(ended, certainty)).await;
        }
        let Some(settlement) = self.settlement.as_ref().filter(|_| !committed) else {
            return ended;
        };
        let said_no = self.run.lock().said_no;
        if good || said_no {
            Box::pin(settlement.end(ended)).await
        } else {
            // A twin may have won meanwhile: "seat taken" may be our own seat.
            Box::pin(settlement.look()).await.unwrap_or(ended)
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
}
