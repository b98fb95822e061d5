//! Renewing a lease.

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
