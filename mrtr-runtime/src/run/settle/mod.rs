//! The flow store's part in a run: look before it, claim for its commit, record what it came to.

mod hold;
mod name;
mod records;
mod waiting;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mrtr_core::ident::FlowId;
use mrtr_core::seal::Sealer;

use crate::flow::{
    Caller, Claim, ClaimId, Claimed, End, EndedFlow, Epoch, Finish, Finished, FlowError, FlowStore,
    Look, Looked, MOST_TAKEOVERS, Met, Origin, StoreError,
};
use crate::flow::{Ended as FlowEnded, FlowLabel};
use crate::shared::Shared;

use super::Ended;

pub(super) use hold::Hold;
use name::Name;
pub(super) use records::Settling;
pub(crate) use waiting::Waiting;

/// How long a claim is believed without a sign of life.
const LEASE: Duration = Duration::from_secs(30);

/// A run's dealings with one record of the flow store: one set of answers, one claim.
#[derive(Clone)]
pub(super) struct Settlement {
    pub(super) shared: Arc<Shared>,
    pub(super) store: Arc<dyn FlowStore>,
    pub(super) epoch: Epoch,
    pub(super) name: Name,
    /// Drawn when the record is claimed.
    pub(super) id: ClaimId,
    pub(super) caller: Option<Caller>,
    /// What people call the record: in texts, in logs, and to an operator.
    pub(super) flow: FlowId,
    /// How long the record must stay from now on.
    pub(super) keep: Duration,
    /// The effect is idempotent: a claim whose holder vanished may be taken over.
    pub(super) takeover: bool,
}

/// What a record in the way means for a request.
enum Way {
    /// Nothing is in the way.
    Clear,
    /// Look again after a while.
    Wait,
    /// The request ends so.
    Answer(Ended),
}

/// Why a commit was not let through.
pub(super) enum NotClaimed {
    /// Another request has a claim or an end: look there for its result, without the handler.
    Met(Box<Settlement>),
    /// Nothing may be done.
    Answer(Ended),
}

impl Settlement {
    /// Looks whether the flow has a record, before its handler runs; waits for one that is being
    /// carried out with the same answers.
    pub(super) async fn look(&self) -> Option<Ended> {
        let mut wait = self.shared.waiting.enter(self.name.flow);
        loop {
            match self.way().await {
                Way::Clear => return None,
                Way::Answer(ended) => return Some(ended),
                Way::Wait => {
                    if !wait.pause().await {
                        return Some(self.error(FlowError::Busy));
                    }
                }
            }
        }
    }

    /// What the flow's record says just now, if there is one.
    pub(super) async fn met_now(&self) -> Option<Ended> {
        match self.way().await {
            Way::Clear => None,
            Way::Wait => Some(self.error(FlowError::Busy)),
            Way::Answer(ended) => Some(ended),
        }
    }

    async fn way(&self) -> Way {
        let look = Look {
            epoch: self.epoch,
            cont: self.name.cont,
        };
        match self.store.look(self.name.flow, look).await {
            Err(error) => Way::Answer(self.not_done(&error)),
            Ok(Looked::Free) => Way::Clear,
            Ok(Looked::OtherEpoch) => Way::Answer(self.error(FlowError::OtherEpoch)),
            Ok(Looked::Met(met)) => self.met(met),
        }
    }

    fn met(&self, met: Met) -> Way {
        match met {
            Met::Busy { same: true } => Way::Wait,
            Met::Busy { same: false } => Way::Answer(self.error(FlowError::Busy)),
            Met::Lost {
                same: true,
                takeovers,
            } if self.takeover && takeovers < MOST_TAKEOVERS => Way::Clear,
            Met::Lost { .. } => Way::Answer(self.error(FlowError::Unknown)),
            Met::Ended(ended) => Way::Answer(self.ended(ended)),
        }
    }

    /// Claims the right to have the effect.
    pub(super) async fn claim(mut self) -> Result<Hold, NotClaimed> {
        if let Err(error) = self.shared.world.random(&mut self.id.0) {
            tracing::error!(%error, "a flow cannot be claimed");
            return Err(NotClaimed::Answer(Ended::internal()));
        }
        let claimed = match self.try_claim().await {
            Ok(claimed) => Ok(claimed),
            // The reply may have been lost: the same id wins what it has won before.
            Err(_) => self.try_claim().await,
        };
        match claimed {
            Ok(Claimed::Won) => Ok(Hold::new(self)),
            Ok(Claimed::Met(_)) => Err(NotClaimed::Met(Box::new(self))),
            Ok(Claimed::Full(limit)) => Err(NotClaimed::Answer(self.error(FlowError::Full(limit)))),
            Ok(Claimed::OtherEpoch) => Err(NotClaimed::Answer(self.error(FlowError::OtherEpoch))),
            Err(error) => {
                let answer = self.not_done(&error);
                hold::release_later(self, LEASE);
                Err(NotClaimed::Answer(answer))
            }
        }
    }

    async fn try_claim(&self) -> Result<Claimed, StoreError> {
        let claim = Claim {
            epoch: self.epoch,
            id: self.id,
            cont: self.name.cont,
            origin: self.origin(),
            lease: LEASE,
            keep: self.keep,
            takeover: self.takeover,
        };
        self.store.claim(self.name.flow, claim).await
    }

    /// Gives the claim back, now or as soon as the store hears of it: a record that stays claimed
    /// says of a call that did nothing that its outcome is unknown.
    async fn release(&self) {
        if let Err(error) = self.store.release(self.name.flow, self.id).await {
            tracing::warn!(flow = %self.flow, %error, "a claim is not given back yet");
            hold::release_later(self.clone(), self.keep);
        }
    }

    /// Says that nobody knows; a store that does not hear it finds out when the lease is over.
    async fn mark_lost(&self) {
        if let Err(error) = self.store.mark_lost(self.name.flow, self.id).await {
            tracing::warn!(flow = %self.flow, %error, "the flow store was not told that an outcome is unknown");
        }
    }

    async fn record(&self, ended: Ended) -> Ended {
        let member = self.member(&ended);
        let finish = Finish {
            epoch: self.epoch,
            id: self.id,
            cont: self.name.cont,
            keep: self.keep,
            body: self.seal(&member),
        };
        let mut finished = self.store.finish(self.name.flow, finish.clone()).await;
        if finished.is_err() {
            // Telling it twice is telling it once.
            finished = self.store.finish(self.name.flow, finish.clone()).await;
        }
        match finished {
            Ok(Finished::Recorded { .. }) => {}
            Ok(Finished::Earlier(FlowEnded::Recorded(body))) => {
                if let Some(earlier) = self.open(&body) {
                    return Ended::Recorded(earlier);
                }
            }
            // The effect is this run's, and so is the truth about it.
            Ok(Finished::Earlier(_) | Finished::NotHeld | Finished::OtherEpoch) => {
                tracing::error!(flow = %self.flow, "a commit's result could not be recorded: its claim is gone");
            }
            Err(error) => {
                tracing::warn!(flow = %self.flow, %error, "a commit's result is not recorded yet");
                hold::finish_later(self.clone(), finish);
            }
        }
        Ended::Recorded(member)
    }

    /// Ends a flow that came to a result without a commit, or to a no: no commit may follow.
    pub(super) async fn end(&self, ended: Ended) -> Ended {
        let member = self.member(&ended);
        let end = End {
            epoch: self.epoch,
            cont: self.name.cont,
            origin: self.origin(),
            keep: self.keep,
            body: self.seal(&member),
        };
        match self.store.end(self.name.flow, end).await {
            Ok(EndedFlow::Recorded) => Ended::Recorded(member),
            // The no came too late to be promised.
            Ok(EndedFlow::Met(Met::Busy { .. })) => self.error(FlowError::Busy),
            Ok(EndedFlow::Met(Met::Lost { .. })) => self.error(FlowError::Unknown),
            Ok(EndedFlow::Met(Met::Ended(earlier))) => self.ended(earlier),
            Ok(EndedFlow::Full(_)) => {
                tracing::warn!(flow = %self.flow, "a flow's end could not be made final: the store has no room for it");
                ended
            }
            Ok(EndedFlow::OtherEpoch) => {
                tracing::warn!(flow = %self.flow, "a flow's end could not be made final: the store lost its data meanwhile");
                ended
            }
            Err(error) => {
                tracing::warn!(flow = %self.flow, %error, "a flow's end could not be made final");
                ended
            }
        }
    }

    /// What a recorded end means for a request with these answers.
    fn ended(&self, ended: FlowEnded) -> Ended {
        let error = match &ended {
            FlowEnded::Recorded(body) => match self.open(body) {
                Some(member) => return Ended::Recorded(member),
                // No key of the ring opens it, or it was copied from elsewhere.
                None => FlowError::NotKept,
            },
            FlowEnded::NotKept => FlowError::NotKept,
            FlowEnded::OtherAnswers => FlowError::Ended,
        };
        self.error(error)
    }

    fn origin(&self) -> Origin {
        Origin {
            caller: self.caller,
            label: FlowLabel(*self.flow.as_bytes()),
            bound: self.name.bound,
        }
    }

    /// The member of the response that an end becomes, as the record keeps it.
    fn member(&self, ended: &Ended) -> Bytes {
        let mut out = Vec::with_capacity(256);
        self.shared.write(&mut out, ended);
        out.into()
    }

    fn sealer(&self) -> &Sealer {
        &self.shared.sealer
    }

    fn seal(&self, member: &Bytes) -> Option<Bytes> {
        let mut random = [0; 24];
        self.shared.world.random(&mut random).ok()?;
        Some(
            self.sealer()
                .seal_record(member, &self.name.aad(), random)
                .into(),
        )
    }

    fn open(&self, body: &[u8]) -> Option<Bytes> {
        match self.sealer().open_record(body, &self.name.aad()) {
            Ok(member) => Some(member.into()),
            Err(reason) => {
                tracing::warn!(flow = %self.flow, %reason, "a recorded result cannot be read");
                None
            }
        }
    }

    fn error(&self, error: FlowError) -> Ended {
        tracing::info!(flow = %self.flow, %error, "the flow's record decided");
        Ended::tool_error(error.text(self.flow))
    }

    fn not_done(&self, error: &StoreError) -> Ended {
        tracing::error!(flow = %self.flow, %error, "nothing was carried out");
        Ended::tool_error(FlowError::Unavailable.text(self.flow))
    }
}
