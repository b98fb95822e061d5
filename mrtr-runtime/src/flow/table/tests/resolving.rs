//! What an operator says about a flow.

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
