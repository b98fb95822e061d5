//! What a store keeps of one flow.

use std::time::Duration;

use bytes::Bytes;

use super::names::{ClaimId, Cont, FlowKey};
use super::verb::{Ended, Found, FoundState, LARGEST_BODY, Met, Origin};

/// Milliseconds by the store's own clock, from any beginning.
pub type Millis = u64;

/// The record of one flow.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Record {
    /// The answers that it was claimed or ended with.
    pub cont: Cont,
    /// What it says about the flow.
    pub origin: Origin,
    /// From when on it is gone.
    pub keep_until: Millis,
    /// What is known.
    pub state: State,
}

/// What is known of a flow that has a record.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum State {
    /// Claimed: the effect is being carried out.
    Busy {
        /// The holder.
        id: ClaimId,
        /// Until when the holder is believed to be alive.
        lease_until: Millis,
        /// How many times the flow has been taken over.
        takeovers: u8,
    },
    /// The holder vanished or gave up.
    Lost {
        /// The last holder.
        id: ClaimId,
        /// How many times the flow has been taken over.
        takeovers: u8,
    },
    /// Over.
    Ended {
        /// Whose finish it was; `None` where the flow ended without a commit or was resolved.
        id: Option<ClaimId>,
        /// The sealed result, while it is kept.
        body: Option<Bytes>,
    },
}

impl Record {
    /// The record as it is at this time: gone when its time is over, lost when its lease is.
    #[must_use]
    pub fn at(mut self, now: Millis) -> Option<Self> {
        if self.keep_until <= now {
            return None;
        }
        if let State::Busy {
            id,
            lease_until,
            takeovers,
        } = self.state
            && lease_until <= now
        {
            self.state = State::Lost { id, takeovers };
        }
        Some(self)
    }

    /// Lets the record stay this long from now on, or as long as it does already.
    pub(super) fn keep(&mut self, now: Millis, keep: Duration) {
        self.keep_until = self.keep_until.max(after(now, keep));
    }

    /// Whether this claim holds the flow, or held it last.
    pub(super) fn is_held_by(&self, claim: ClaimId) -> bool {
        match self.state {
            State::Busy { id, .. } | State::Lost { id, .. } => id == claim,
            State::Ended { .. } => false,
        }
    }

    /// The record as a request with these answers meets it.
    pub(super) fn met(&self, cont: Cont) -> Met {
        let same = self.cont == cont;
        match &self.state {
            State::Busy { .. } => Met::Busy { same },
            State::Lost { takeovers, .. } => Met::Lost {
                same,
                takeovers: *takeovers,
            },
            State::Ended { body, .. } => Met::Ended(ended(body.as_ref(), same)),
        }
    }

    /// What an operator is told.
    pub(super) fn found(&self, flow: FlowKey) -> Found {
        let state = match self.state {
            State::Busy { .. } => FoundState::Busy,
            State::Lost { .. } => FoundState::Lost,
            State::Ended { body: Some(_), .. } => FoundState::Ended,
            State::Ended { body: None, .. } => FoundState::EndedWithoutBody,
        };
        Found {
            flow,
            cont: self.cont,
            bound: self.origin.bound,
            state,
        }
    }
}

/// How a flow ended, for a request with the same answers or others.
pub(super) fn ended(body: Option<&Bytes>, same: bool) -> Ended {
    match body {
        _ if !same => Ended::OtherAnswers,
        Some(body) => Ended::Recorded(body.clone()),
        None => Ended::NotKept,
    }
}

/// The body, unless it is larger than a record may hold.
pub(super) fn fitting(body: Option<Bytes>) -> Option<Bytes> {
    body.filter(|body| body.len() <= LARGEST_BODY)
}

/// The time so long after this one.
pub(super) fn after(now: Millis, span: Duration) -> Millis {
    now.saturating_add(span.as_millis().try_into().unwrap_or(Millis::MAX))
}
