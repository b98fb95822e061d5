//! One event on one flow, for a store and for the table.

use std::time::Duration;

use bytes::Bytes;

use crate::flow::record::Record;
use crate::flow::table::{Conditions, MarkLost, Release, transition};
use crate::flow::{
    Bound, Caller, Claim, ClaimId, Claimed, Cont, End, EndedFlow, Epoch, Finish, Finished, FlowKey,
    FlowLabel, FlowStore, Look, Looked, Marked, Origin, Released, Renew, Renewed, Resolution,
    Resolved, StoreError,
};

/// Longer than any test takes.
pub(super) const LONG: Duration = Duration::from_secs(600);
/// So short that a test can wait for its end, and long enough for a few slow events before it.
pub(super) const SHORT: Duration = Duration::from_millis(250);

/// An event.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Look(Look),
    Claim(Claim),
    Renew(Renew),
    Finish(Finish),
    End(End),
    Release(ClaimId),
    MarkLost(ClaimId),
    Resolve(Resolution),
}

/// What its cause is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Told {
    Looked(Looked),
    Claimed(Claimed),
    Renewed(Renewed),
    Finished(Finished),
    EndedFlow(EndedFlow),
    Released(Released),
    Marked(Marked),
    Resolved(Resolved),
    /// The store gave no answer, which no event deserves here.
    Failed(String),
}

impl From<StoreError> for Told {
    fn from(error: StoreError) -> Self {
        Self::Failed(format!("{error:?}"))
    }
}

impl Step {
    /// Lets the event happen in the store.
    pub(super) async fn ask(self, store: &dyn FlowStore, flow: FlowKey) -> Told {
        match self {
            Self::Look(look) => store.look(flow, look).await.map(Told::Looked),
            Self::Claim(claim) => store.claim(flow, claim).await.map(Told::Claimed),
            Self::Renew(renew) => store.renew(flow, renew).await.map(Told::Renewed),
            Self::Finish(finish) => store.finish(flow, finish).await.map(Told::Finished),
            Self::End(end) => store.end(flow, end).await.map(Told::EndedFlow),
            Self::Release(id) => store.release(flow, id).await.map(Told::Released),
            Self::MarkLost(id) => store.mark_lost(flow, id).await.map(Told::Marked),
            Self::Resolve(found) => store.resolve(flow, found).await.map(Told::Resolved),
        }
        .unwrap_or_else(Told::from)
    }

    /// What the table makes of it.
    pub(super) fn table(self, from: Option<Record>, here: &Conditions) -> (Option<Record>, Told) {
        fn with<T>(
            (to, outcome): (Option<Record>, T),
            told: fn(T) -> Told,
        ) -> (Option<Record>, Told) {
            (to, told(outcome))
        }
        match self {
            Self::Look(look) => with(transition(from, look, here), Told::Looked),
            Self::Claim(claim) => with(transition(from, claim, here), Told::Claimed),
            Self::Renew(renew) => with(transition(from, renew, here), Told::Renewed),
            Self::Finish(finish) => with(transition(from, finish, here), Told::Finished),
            Self::End(end) => with(transition(from, end, here), Told::EndedFlow),
            Self::Release(id) => with(transition(from, Release(id), here), Told::Released),
            Self::MarkLost(id) => with(transition(from, MarkLost(id), here), Told::Marked),
            Self::Resolve(found) => with(transition(from, found, here), Told::Resolved),
        }
    }
}

/// The answers of the first request of a flow, and those of a fork.
pub(super) const SAME: Cont = Cont([1; 32]);
pub(super) const DIFFERENT: Cont = Cont([2; 32]);
/// The claim of the first request, and those of others.
pub(super) const HOLDER: ClaimId = ClaimId([3; 16]);
pub(super) const OTHER: ClaimId = ClaimId([4; 16]);

pub(super) fn origin(flow: FlowKey) -> Origin {
    let mut label = [0; 10];
    label.copy_from_slice(&flow.0[..10]);
    Origin {
        caller: Some(Caller([5; 16])),
        label: FlowLabel(label),
        bound: Bound([6; 32]),
    }
}

/// Makes the steps of one flow in one epoch.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    pub(super) epoch: Epoch,
    pub(super) flow: FlowKey,
}

impl Steps {
    pub(super) fn look(self, cont: Cont) -> Step {
        Step::Look(Look {
            epoch: self.epoch,
            cont,
        })
    }

    pub(super) fn claim(self, id: ClaimId, cont: Cont) -> Claim {
        Claim {
            epoch: self.epoch,
            id,
            cont,
            origin: origin(self.flow),
            lease: LONG,
            keep: LONG,
            takeover: false,
        }
    }

    pub(super) fn takeover(self, id: ClaimId, cont: Cont) -> Step {
        Step::Claim(Claim {
            takeover: true,
            ..self.claim(id, cont)
        })
    }

    pub(super) fn finish(self, id: ClaimId, cont: Cont, body: Option<&'static [u8]>) -> Step {
        let body = body.map(Bytes::from_static);
        Step::Finish(Finish {
            epoch: self.epoch,
            id,
            cont,
            keep: LONG,
            body,
        })
    }

    pub(super) fn end(self, cont: Cont, body: Option<&'static [u8]>) -> Step {
        let body = body.map(Bytes::from_static);
        Step::End(End {
            epoch: self.epoch,
            cont,
            origin: origin(self.flow),
            keep: LONG,
            body,
        })
    }

    pub(super) fn renew(self, id: ClaimId) -> Step {
        Step::Renew(Renew {
            id,
            lease: LONG,
            keep: LONG,
        })
    }

    /// A renewal after which the lease soon ends.
    pub(super) fn renew_shortly(self, id: ClaimId) -> Step {
        Step::Renew(Renew {
            id,
            lease: SHORT,
            keep: LONG,
        })
    }

    pub(super) fn happened(self) -> Step {
        Step::Resolve(Resolution::Happened(Bytes::from_static(
            b"what the operator \x00 found",
        )))
    }
}
