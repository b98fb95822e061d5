//! The table of the flow store: what each event makes of a record, as a pure function.

use std::time::Duration;

use super::names::{Caller, ClaimId, Cont, Epoch};
use super::record::{Millis, Record, State, after, ended, fitting};
use super::verb::{
    Claim, Claimed, End, EndedFlow, Finish, Finished, Limit, Look, Looked, MOST_TAKEOVERS, Marked,
    Origin, Released, Renew, Renewed, Resolution, Resolved,
};

/// What surrounds a record when an event reaches it.
#[derive(Debug, Clone, Copy)]
pub struct Conditions {
    /// The time by the store's clock.
    pub now: Millis,
    /// The epoch of the store's data.
    pub epoch: Epoch,
    /// Whether there is room for one more record of this caller.
    pub room: Result<(), Limit>,
}

/// Something that happens to a record.
pub trait Event {
    /// What the one who caused it is told.
    type Outcome;

    /// Whose record it would be, if the event makes one.
    fn caller(&self) -> Option<Caller> {
        None
    }

    /// What becomes of the record. The record is as it is now: neither gone nor past its lease.
    fn apply(self, record: Option<Record>, here: &Conditions) -> (Option<Record>, Self::Outcome);
}

/// What becomes of a record, and what the one who caused the event is told.
///
/// `None` is a flow without a record. A store writes back what it gets, in the same atomic step
/// in which it read what it gave.
#[must_use]
pub fn transition<E: Event>(
    record: Option<Record>,
    event: E,
    here: &Conditions,
) -> (Option<Record>, E::Outcome) {
    event.apply(record.and_then(|record| record.at(here.now)), here)
}

impl Event for Look {
    type Outcome = Looked;

    fn apply(self, record: Option<Record>, here: &Conditions) -> (Option<Record>, Looked) {
        let looked = match &record {
            _ if self.epoch != here.epoch => Looked::OtherEpoch,
            None => Looked::Free,
            Some(record) => Looked::Met(record.met(self.cont)),
        };
        (record, looked)
    }
}

impl Event for Claim {
    type Outcome = Claimed;

    fn caller(&self) -> Option<Caller> {
        self.origin.caller
    }

    fn apply(self, record: Option<Record>, here: &Conditions) -> (Option<Record>, Claimed) {
        if self.epoch != here.epoch {
            return (record, Claimed::OtherEpoch);
        }
        let Some(record) = record else {
            return match here.room {
                Ok(()) => (Some(self.record(here.now)), Claimed::Won),
                Err(limit) => (None, Claimed::Full(limit)),
            };
        };
        match self.takeovers_after(&record) {
            Some(takeovers) => (Some(self.hold(record, takeovers, here.now)), Claimed::Won),
            None => {
                let met = record.met(self.cont);
                (Some(record), Claimed::Met(met))
            }
        }
    }
}

impl Claim {
    fn record(self, now: Millis) -> Record {
        let fresh = fresh_record(self.cont, self.origin);
        self.hold(fresh, 0, now)
    }

    /// How many take-overs the record counts once this claim holds it; `None` when it may not.
    ///
    /// A claim whose reply was lost comes again and wins again: nobody else knows its id. A claim
    /// whose holder vanished is never given away without the author's leave, for the effect may
    /// have happened, and may even be happening still.
    fn takeovers_after(&self, record: &Record) -> Option<u8> {
        let same = record.cont == self.cont;
        match record.state {
            State::Busy { id, takeovers, .. } if same && id == self.id => Some(takeovers),
            State::Lost { takeovers, .. }
                if same && self.takeover && takeovers < MOST_TAKEOVERS =>
            {
                Some(takeovers + 1)
            }
            _ => None,
        }
    }

    fn hold(&self, mut record: Record, takeovers: u8, now: Millis) -> Record {
        hold(&mut record, self.id, takeovers, now, self.lease, self.keep);
        record
    }
}

impl Event for Renew {
    type Outcome = Renewed;

    fn apply(self, record: Option<Record>, here: &Conditions) -> (Option<Record>, Renewed) {
        let Some(mut record) = record else {
            return (None, Renewed::Gone);
        };
        let (State::Busy { takeovers, .. } | State::Lost { takeovers, .. }) = record.state else {
            return (Some(record), Renewed::Gone);
        };
        if !record.is_held_by(self.id) {
            return (Some(record), Renewed::Gone);
        }
        hold(
            &mut record,
            self.id,
            takeovers,
            here.now,
            self.lease,
            self.keep,
        );
        (Some(record), Renewed::Held)
    }
}

impl Event for Finish {
    type Outcome = Finished;

    fn apply(self, record: Option<Record>, here: &Conditions) -> (Option<Record>, Finished) {
        if self.epoch != here.epoch {
            return (record, Finished::OtherEpoch);
        }
        let Some(mut record) = record else {
            return (None, Finished::NotHeld);
        };
        if let State::Ended { id, body } = &record.state {
            let finished = match id {
                // The reply to this very finish got lost: it is told the same once more.
                Some(id) if *id == self.id => Finished::Recorded {
                    body: body.is_some(),
                },
                _ => Finished::Earlier(ended(body.as_ref(), record.cont == self.cont)),
            };
            return (Some(record), finished);
        }
        if !record.is_held_by(self.id) {
            return (Some(record), Finished::NotHeld);
        }
        let body = fitting(self.body);
        let finished = Finished::Recorded {
            body: body.is_some(),
        };
        record.state = State::Ended {
            id: Some(self.id),
            body,
        };
        record.keep(here.now, self.keep);
        (Some(record), finished)
    }
}

impl Event for End {
    type Outcome = EndedFlow;

    fn caller(&self) -> Option<Caller> {
        self.origin.caller
    }

    fn apply(self, record: Option<Record>, here: &Conditions) -> (Option<Record>, EndedFlow) {
        if self.epoch != here.epoch {
            return (record, EndedFlow::OtherEpoch);
        }
        if let Some(record) = record {
            let met = record.met(self.cont);
            return (Some(record), EndedFlow::Met(met));
        }
        if let Err(limit) = here.room {
            return (None, EndedFlow::Full(limit));
        }
        let mut record = fresh_record(self.cont, self.origin);
        record.state = State::Ended {
            id: None,
            body: fitting(self.body),
        };
        record.keep(here.now, self.keep);
        (Some(record), EndedFlow::Recorded)
    }
}

/// The holder of a claim gives it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release(
    /// The holder's claim.
    pub ClaimId,
);

impl Event for Release {
    type Outcome = Released;

    fn apply(self, record: Option<Record>, _here: &Conditions) -> (Option<Record>, Released) {
        match record {
            Some(record) if record.is_held_by(self.0) => (None, Released::Freed),
            record => (record, Released::NotHeld),
        }
    }
}

/// The holder of a claim gives up without knowing what it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkLost(
    /// The holder's claim.
    pub ClaimId,
);

impl Event for MarkLost {
    type Outcome = Marked;

    fn apply(self, record: Option<Record>, _here: &Conditions) -> (Option<Record>, Marked) {
        let Some(mut record) = record else {
            return (None, Marked::NotHeld);
        };
        let marked = match record.state {
            State::Busy { id, takeovers, .. } if id == self.0 => {
                record.state = State::Lost { id, takeovers };
                Marked::Lost
            }
            State::Lost { id, .. } if id == self.0 => Marked::Lost,
            _ => Marked::NotHeld,
        };
        (Some(record), marked)
    }
}

impl Event for Resolution {
    type Outcome = Resolved;

    fn apply(self, record: Option<Record>, _here: &Conditions) -> (Option<Record>, Resolved) {
        let Some(mut record) = record else {
            return (None, Resolved::Nothing);
        };
        match (&record.state, self) {
            (State::Busy { .. }, _) => (Some(record), Resolved::Busy),
            (State::Lost { .. }, Self::NothingHappened) => (None, Resolved::Done),
            (State::Lost { .. } | State::Ended { body: None, .. }, Self::Happened(body)) => {
                record.state = State::Ended {
                    id: None,
                    body: fitting(Some(body)),
                };
                (Some(record), Resolved::Done)
            }
            (State::Ended { .. }, _) => (Some(record), Resolved::AlreadyEnded),
        }
    }
}

/// A record that nothing is known of yet; its state and time are set before anybody sees it.
fn fresh_record(cont: Cont, origin: Origin) -> Record {
    Record {
        cont,
        origin,
        keep_until: 0,
        state: State::Ended {
            id: None,
            body: None,
        },
    }
}

/// Gives the flow to a claim. The record outlives the lease, so that a claim never just vanishes.
fn hold(
    record: &mut Record,
    id: ClaimId,
    takeovers: u8,
    now: Millis,
    lease: Duration,
    keep: Duration,
) {
    record.state = State::Busy {
        id,
        lease_until: after(now, lease),
        takeovers,
    };
    record.keep(now, keep.max(lease));
}

#[cfg(test)]
mod tests;
