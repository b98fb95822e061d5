//! What time does to a record.

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
