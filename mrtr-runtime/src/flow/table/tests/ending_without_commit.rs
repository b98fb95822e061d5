//! Ending a flow without a commit.

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
