//! Claiming a flow.

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
