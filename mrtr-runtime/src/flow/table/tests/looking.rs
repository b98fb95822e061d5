//! Looking at a record.

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
