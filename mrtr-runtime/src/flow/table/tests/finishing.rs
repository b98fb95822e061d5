//! Finishing a commit.

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
