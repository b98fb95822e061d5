//! One test per cell of the table: an event, a record, what is told and what becomes of it.

mod claiming;
mod ending_without_commit;
mod finishing;
mod looking;
mod marking_lost;
mod releasing;
mod renewing;
mod resolving;
mod time;

use std::fmt::Debug;
use std::time::Duration;

use bytes::Bytes;

use super::super::names::{Bound, FlowLabel};
use super::super::verb::{Ended, LARGEST_BODY, Met};
use super::*;

const NOW: Millis = 100_000;
const EPOCH: Epoch = Epoch([1; 16]);
const HERE: Conditions = Conditions {
    now: NOW,
    epoch: EPOCH,
    room: Ok(()),
};
const FULL: Conditions = Conditions {
    room: Err(Limit::Store),
    ..HERE
};
const ELSEWHERE: Conditions = Conditions {
    epoch: Epoch([9; 16]),
    ..HERE
};

const HOLDER: ClaimId = ClaimId([2; 16]);
const OTHER: ClaimId = ClaimId([3; 16]);
/// The answers of the record, and others.
const SAME: Cont = Cont([4; 32]);
const DIFFERENT: Cont = Cont([5; 32]);

const LEASE: Duration = Duration::from_millis(30_000);
const KEEP: Duration = Duration::from_millis(500_000);
const ORIGIN: Origin = Origin {
    caller: Some(Caller([6; 16])),
    label: FlowLabel([7; 10]),
    bound: Bound([8; 32]),
};

fn first_body() -> Bytes {
    Bytes::from_static(b"first")
}

fn record(state: State) -> Option<Record> {
    Some(Record {
        cont: SAME,
        origin: ORIGIN,
        keep_until: NOW + 1_000,
        state,
    })
}

fn busy() -> Option<Record> {
    record(State::Busy {
        id: HOLDER,
        lease_until: NOW + 10,
        takeovers: 0,
    })
}

fn lost() -> Option<Record> {
    record(State::Lost {
        id: HOLDER,
        takeovers: 0,
    })
}

fn ended() -> Option<Record> {
    record(State::Ended {
        id: Some(HOLDER),
        body: Some(first_body()),
    })
}

fn bare() -> Option<Record> {
    record(State::Ended {
        id: Some(HOLDER),
        body: None,
    })
}

/// The record with a time over which it stays that no event with `KEEP` shortens.
fn kept(mut record: Option<Record>) -> Option<Record> {
    record.as_mut().expect("a record").keep_until = NOW + 500_000;
    record
}

fn held(id: ClaimId, takeovers: u8) -> Option<Record> {
    kept(record(State::Busy {
        id,
        lease_until: NOW + 30_000,
        takeovers,
    }))
}

fn look(cont: Cont) -> Look {
    Look { epoch: EPOCH, cont }
}

fn claim(id: ClaimId, cont: Cont) -> Claim {
    Claim {
        epoch: EPOCH,
        id,
        cont,
        origin: ORIGIN,
        lease: LEASE,
        keep: KEEP,
        takeover: false,
    }
}

fn takeover(cont: Cont) -> Claim {
    Claim {
        takeover: true,
        ..claim(OTHER, cont)
    }
}

fn end(cont: Cont) -> End {
    End {
        epoch: EPOCH,
        cont,
        origin: ORIGIN,
        keep: KEEP,
        body: Some(Bytes::from_static(b"no")),
    }
}

fn finish(id: ClaimId) -> Finish {
    Finish {
        epoch: EPOCH,
        id,
        cont: SAME,
        keep: KEEP,
        body: Some(Bytes::from_static(b"second")),
    }
}

fn renew(id: ClaimId) -> Renew {
    Renew {
        id,
        lease: LEASE,
        keep: KEEP,
    }
}

fn happened() -> Resolution {
    Resolution::Happened(Bytes::from_static(b"checked"))
}

/// The event is answered so, and the record becomes this.
fn becomes<E>(from: Option<Record>, event: E, outcome: E::Outcome, to: Option<Record>)
where
    E: Event<Outcome: Debug + PartialEq>,
{
    becomes_in(&HERE, from, event, outcome, to);
}

fn becomes_in<E>(
    here: &Conditions,
    from: Option<Record>,
    event: E,
    outcome: E::Outcome,
    to: Option<Record>,
) where
    E: Event<Outcome: Debug + PartialEq>,
{
    assert_eq!(transition(from, event, here), (to, outcome));
}

/// The event is answered so, and the record stays as it is.
fn stays<E>(record: Option<Record>, event: E, outcome: E::Outcome)
where
    E: Event<Outcome: Debug + PartialEq>,
{
    becomes(record.clone(), event, outcome, record);
}

fn lost_to(same: bool, takeovers: u8) -> Met {
    Met::Lost { same, takeovers }
}

fn first() -> Ended {
    Ended::Recorded(first_body())
}
