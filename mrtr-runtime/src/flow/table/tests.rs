//! One test per cell of the table: an event, a record, what is told and what becomes of it.

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

mod looking {
    use super::*;

    #[test]
    fn nothing() {
        stays(None, look(SAME), Looked::Free);
    }

    #[test]
    fn busy_same() {
        stays(busy(), look(SAME), Looked::Met(Met::Busy { same: true }));
    }

    #[test]
    fn busy_different() {
        stays(
            busy(),
            look(DIFFERENT),
            Looked::Met(Met::Busy { same: false }),
        );
    }

    #[test]
    fn lost_same() {
        stays(lost(), look(SAME), Looked::Met(lost_to(true, 0)));
    }

    #[test]
    fn lost_different() {
        stays(lost(), look(DIFFERENT), Looked::Met(lost_to(false, 0)));
    }

    #[test]
    fn ended_same() {
        stays(ended(), look(SAME), Looked::Met(Met::Ended(first())));
    }

    #[test]
    fn ended_different() {
        stays(
            ended(),
            look(DIFFERENT),
            Looked::Met(Met::Ended(Ended::OtherAnswers)),
        );
    }

    #[test]
    fn ended_without_body_same() {
        stays(bare(), look(SAME), Looked::Met(Met::Ended(Ended::NotKept)));
    }

    #[test]
    fn ended_without_body_different() {
        stays(
            bare(),
            look(DIFFERENT),
            Looked::Met(Met::Ended(Ended::OtherAnswers)),
        );
    }

    #[test]
    fn other_epoch() {
        for record in [None, busy(), ended()] {
            becomes_in(
                &ELSEWHERE,
                record.clone(),
                look(SAME),
                Looked::OtherEpoch,
                record,
            );
        }
    }
}

mod claiming {
    use super::*;

    #[test]
    fn nothing_same_or_different() {
        for cont in [SAME, DIFFERENT] {
            let to = held(OTHER, 0).map(|record| Record { cont, ..record });
            becomes(None, claim(OTHER, cont), Claimed::Won, to);
        }
    }

    #[test]
    fn nothing_but_full() {
        for limit in [Limit::Store, Limit::Caller] {
            let full = Conditions {
                room: Err(limit),
                ..HERE
            };
            becomes_in(&full, None, claim(OTHER, SAME), Claimed::Full(limit), None);
        }
    }

    #[test]
    fn a_full_store_still_answers_about_what_it_has() {
        let met = Claimed::Met(Met::Ended(first()));
        becomes_in(&FULL, ended(), claim(OTHER, SAME), met, ended());
        becomes_in(&FULL, lost(), takeover(SAME), Claimed::Won, held(OTHER, 1));
    }

    #[test]
    fn busy_same_by_its_own_id() {
        becomes(busy(), claim(HOLDER, SAME), Claimed::Won, held(HOLDER, 0));
    }

    #[test]
    fn busy_same_by_another_id() {
        stays(
            busy(),
            claim(OTHER, SAME),
            Claimed::Met(Met::Busy { same: true }),
        );
        stays(
            busy(),
            takeover(SAME),
            Claimed::Met(Met::Busy { same: true }),
        );
    }

    #[test]
    fn busy_different() {
        for id in [HOLDER, OTHER] {
            stays(
                busy(),
                claim(id, DIFFERENT),
                Claimed::Met(Met::Busy { same: false }),
            );
        }
    }

    #[test]
    fn lost_same() {
        for id in [HOLDER, OTHER] {
            stays(lost(), claim(id, SAME), Claimed::Met(lost_to(true, 0)));
        }
    }

    #[test]
    fn lost_same_idempotent() {
        for before in 0..MOST_TAKEOVERS {
            let lost = record(State::Lost {
                id: HOLDER,
                takeovers: before,
            });
            becomes(lost, takeover(SAME), Claimed::Won, held(OTHER, before + 1));
        }
        let worn_out = record(State::Lost {
            id: HOLDER,
            takeovers: MOST_TAKEOVERS,
        });
        stays(
            worn_out,
            takeover(SAME),
            Claimed::Met(lost_to(true, MOST_TAKEOVERS)),
        );
    }

    #[test]
    fn lost_different() {
        stays(
            lost(),
            claim(OTHER, DIFFERENT),
            Claimed::Met(lost_to(false, 0)),
        );
        stays(lost(), takeover(DIFFERENT), Claimed::Met(lost_to(false, 0)));
    }

    #[test]
    fn ended_same() {
        for id in [HOLDER, OTHER] {
            stays(ended(), claim(id, SAME), Claimed::Met(Met::Ended(first())));
        }
        stays(ended(), takeover(SAME), Claimed::Met(Met::Ended(first())));
    }

    #[test]
    fn ended_different() {
        stays(
            ended(),
            claim(OTHER, DIFFERENT),
            Claimed::Met(Met::Ended(Ended::OtherAnswers)),
        );
    }

    #[test]
    fn ended_without_body_same() {
        stays(
            bare(),
            claim(OTHER, SAME),
            Claimed::Met(Met::Ended(Ended::NotKept)),
        );
    }

    #[test]
    fn ended_without_body_different() {
        stays(
            bare(),
            claim(OTHER, DIFFERENT),
            Claimed::Met(Met::Ended(Ended::OtherAnswers)),
        );
    }

    #[test]
    fn other_epoch() {
        for record in [None, busy(), lost(), ended()] {
            for claim in [claim(HOLDER, SAME), takeover(SAME)] {
                becomes_in(
                    &ELSEWHERE,
                    record.clone(),
                    claim,
                    Claimed::OtherEpoch,
                    record.clone(),
                );
            }
        }
    }
}

mod ending_without_commit {
    use super::*;

    #[test]
    fn nothing() {
        for cont in [SAME, DIFFERENT] {
            let body = Some(Bytes::from_static(b"no"));
            let to = kept(record(State::Ended { id: None, body }));
            let to = to.map(|record| Record { cont, ..record });
            becomes(None, end(cont), EndedFlow::Recorded, to);
        }
    }

    #[test]
    fn nothing_but_full() {
        becomes_in(&FULL, None, end(SAME), EndedFlow::Full(Limit::Store), None);
    }

    #[test]
    fn busy_either() {
        stays(busy(), end(SAME), EndedFlow::Met(Met::Busy { same: true }));
        stays(
            busy(),
            end(DIFFERENT),
            EndedFlow::Met(Met::Busy { same: false }),
        );
    }

    #[test]
    fn lost_either() {
        stays(lost(), end(SAME), EndedFlow::Met(lost_to(true, 0)));
        stays(lost(), end(DIFFERENT), EndedFlow::Met(lost_to(false, 0)));
    }

    #[test]
    fn ended_same() {
        stays(ended(), end(SAME), EndedFlow::Met(Met::Ended(first())));
    }

    #[test]
    fn ended_different() {
        stays(
            ended(),
            end(DIFFERENT),
            EndedFlow::Met(Met::Ended(Ended::OtherAnswers)),
        );
    }

    #[test]
    fn ended_without_body() {
        stays(
            bare(),
            end(SAME),
            EndedFlow::Met(Met::Ended(Ended::NotKept)),
        );
        stays(
            bare(),
            end(DIFFERENT),
            EndedFlow::Met(Met::Ended(Ended::OtherAnswers)),
        );
    }

    #[test]
    fn other_epoch() {
        becomes_in(&ELSEWHERE, None, end(SAME), EndedFlow::OtherEpoch, None);
    }
}

mod finishing {
    use super::*;

    fn second() -> Option<Record> {
        let body = Some(Bytes::from_static(b"second"));
        kept(record(State::Ended {
            id: Some(HOLDER),
            body,
        }))
    }

    #[test]
    fn nothing() {
        stays(None, finish(HOLDER), Finished::NotHeld);
    }

    #[test]
    fn busy_by_the_holder() {
        becomes(
            busy(),
            finish(HOLDER),
            Finished::Recorded { body: true },
            second(),
        );
    }

    #[test]
    fn busy_by_another() {
        stays(busy(), finish(OTHER), Finished::NotHeld);
    }

    #[test]
    fn lost_by_the_last_holder() {
        becomes(
            lost(),
            finish(HOLDER),
            Finished::Recorded { body: true },
            second(),
        );
    }

    #[test]
    fn lost_by_another() {
        stays(lost(), finish(OTHER), Finished::NotHeld);
    }

    #[test]
    fn ended_by_the_same_finish_whose_reply_was_lost() {
        stays(ended(), finish(HOLDER), Finished::Recorded { body: true });
        stays(bare(), finish(HOLDER), Finished::Recorded { body: false });
    }

    #[test]
    fn ended_by_another_first() {
        stays(ended(), finish(OTHER), Finished::Earlier(first()));
        stays(bare(), finish(OTHER), Finished::Earlier(Ended::NotKept));
        let elsewise = Finish {
            cont: DIFFERENT,
            ..finish(OTHER)
        };
        stays(ended(), elsewise, Finished::Earlier(Ended::OtherAnswers));
    }

    #[test]
    fn a_large_body_is_left_out() {
        let of_size = |size| Finish {
            body: Some(vec![0; size].into()),
            ..finish(HOLDER)
        };
        let (_, kept) = transition(busy(), of_size(LARGEST_BODY), &HERE);
        assert_eq!(kept, Finished::Recorded { body: true });
        let to = super::kept(bare());
        becomes(
            busy(),
            of_size(LARGEST_BODY + 1),
            Finished::Recorded { body: false },
            to,
        );
    }

    #[test]
    fn a_full_store_takes_the_end_of_what_it_has() {
        becomes_in(
            &FULL,
            busy(),
            finish(HOLDER),
            Finished::Recorded { body: true },
            second(),
        );
    }

    #[test]
    fn other_epoch() {
        for record in [None, busy()] {
            let outcome = Finished::OtherEpoch;
            becomes_in(&ELSEWHERE, record.clone(), finish(HOLDER), outcome, record);
        }
    }
}

mod releasing {
    use super::*;

    #[test]
    fn nothing() {
        stays(None, Release(HOLDER), Released::NotHeld);
    }

    #[test]
    fn busy_or_lost_by_the_holder() {
        becomes(busy(), Release(HOLDER), Released::Freed, None);
        becomes(lost(), Release(HOLDER), Released::Freed, None);
    }

    #[test]
    fn busy_or_lost_by_another() {
        stays(busy(), Release(OTHER), Released::NotHeld);
        stays(lost(), Release(OTHER), Released::NotHeld);
    }

    #[test]
    fn ended() {
        stays(super::ended(), Release(HOLDER), Released::NotHeld);
        stays(bare(), Release(HOLDER), Released::NotHeld);
    }
}

mod renewing {
    use super::*;

    #[test]
    fn nothing() {
        stays(None, renew(HOLDER), Renewed::Gone);
    }

    #[test]
    fn busy_by_the_holder() {
        becomes(busy(), renew(HOLDER), Renewed::Held, held(HOLDER, 0));
    }

    #[test]
    fn lost_by_the_holder() {
        becomes(lost(), renew(HOLDER), Renewed::Held, held(HOLDER, 0));
    }

    #[test]
    fn busy_or_lost_by_another() {
        stays(busy(), renew(OTHER), Renewed::Gone);
        stays(lost(), renew(OTHER), Renewed::Gone);
    }

    #[test]
    fn ended() {
        stays(super::ended(), renew(HOLDER), Renewed::Gone);
        stays(bare(), renew(HOLDER), Renewed::Gone);
    }

    #[test]
    fn take_overs_stay_counted() {
        let lost = record(State::Lost {
            id: HOLDER,
            takeovers: 2,
        });
        becomes(lost, renew(HOLDER), Renewed::Held, held(HOLDER, 2));
    }
}

mod marking_lost {
    use super::*;

    #[test]
    fn nothing() {
        stays(None, MarkLost(HOLDER), Marked::NotHeld);
    }

    #[test]
    fn busy_by_the_holder() {
        becomes(busy(), MarkLost(HOLDER), Marked::Lost, lost());
    }

    #[test]
    fn busy_or_lost_by_another() {
        stays(busy(), MarkLost(OTHER), Marked::NotHeld);
        stays(lost(), MarkLost(OTHER), Marked::NotHeld);
    }

    #[test]
    fn lost_already() {
        stays(lost(), MarkLost(HOLDER), Marked::Lost);
    }

    #[test]
    fn ended() {
        stays(super::ended(), MarkLost(HOLDER), Marked::NotHeld);
        stays(bare(), MarkLost(HOLDER), Marked::NotHeld);
    }
}

mod time {
    use super::*;

    fn at(now: Millis) -> Conditions {
        Conditions { now, ..HERE }
    }

    #[test]
    fn a_claim_is_lost_when_its_lease_is_over() {
        let same = Claimed::Met(Met::Busy { same: true });
        becomes_in(&at(NOW + 9), busy(), claim(OTHER, SAME), same, busy());
        let unknown = Claimed::Met(lost_to(true, 0));
        becomes_in(&at(NOW + 10), busy(), claim(OTHER, SAME), unknown, lost());
    }

    #[test]
    fn nothing_ended_comes_back_and_nothing_goes_before_its_time() {
        for record in [busy(), lost(), super::ended(), bare()] {
            let (kept, _) = transition(record.clone(), look(SAME), &at(NOW + 999));
            assert!(kept.is_some(), "{record:?}");
            becomes_in(&at(NOW + 1_000), record, look(SAME), Looked::Free, None);
        }
    }

    /// A record that is to stay for less than its lease would vanish under a living holder.
    #[test]
    fn a_record_outlives_its_lease() {
        let brief = Claim {
            keep: Duration::ZERO,
            ..claim(OTHER, SAME)
        };
        let (record, _) = transition(None, brief, &HERE);
        assert_eq!(record.map(|record| record.keep_until), Some(NOW + 30_000));
    }

    #[test]
    fn no_event_shortens_the_life_of_a_record() {
        let brief = Duration::from_millis(1);
        let renew = Renew {
            lease: brief,
            keep: brief,
            ..renew(HOLDER)
        };
        let finish = Finish {
            keep: brief,
            ..finish(HOLDER)
        };
        let (renewed, _) = transition(busy(), renew, &HERE);
        let (finished, _) = transition(busy(), finish, &HERE);
        for record in [renewed, finished] {
            assert_eq!(record.map(|record| record.keep_until), Some(NOW + 1_000));
        }
    }
}

mod resolving {
    use super::*;

    fn checked() -> Option<Record> {
        record(State::Ended {
            id: None,
            body: Some(Bytes::from_static(b"checked")),
        })
    }

    #[test]
    fn nothing() {
        stays(None, happened(), Resolved::Nothing);
        stays(None, Resolution::NothingHappened, Resolved::Nothing);
    }

    #[test]
    fn busy() {
        stays(super::busy(), happened(), Resolved::Busy);
        stays(super::busy(), Resolution::NothingHappened, Resolved::Busy);
    }

    #[test]
    fn lost_that_happened() {
        becomes(lost(), happened(), Resolved::Done, checked());
    }

    #[test]
    fn lost_of_which_nothing_happened() {
        becomes(lost(), Resolution::NothingHappened, Resolved::Done, None);
    }

    #[test]
    fn ended() {
        stays(super::ended(), happened(), Resolved::AlreadyEnded);
        stays(
            super::ended(),
            Resolution::NothingHappened,
            Resolved::AlreadyEnded,
        );
    }

    #[test]
    fn ended_without_body() {
        becomes(bare(), happened(), Resolved::Done, checked());
        stays(bare(), Resolution::NothingHappened, Resolved::AlreadyEnded);
    }

    /// The holder was slow, not dead: what it says after the operator has spoken changes nothing.
    #[test]
    fn a_finish_after_the_operator() {
        let met = Finished::Earlier(Ended::Recorded(Bytes::from_static(b"checked")));
        stays(checked(), finish(HOLDER), met);
    }
}
