//! An instance that stands still in the middle of its effect for longer than its claim is believed.

use std::thread::scope;

use crate::Failure;

use super::client::{Told, yes};
use super::report::Report;
use super::scene::{PAST_LEASE, Scene, new_ticket};

/// Others cannot tell it from a dead one. When it wakes up, its result counts.
pub(super) fn play(report: &Report) -> Result<(), Failure> {
    let scene = Scene::new("pause", report)?;
    let (other, ticket) = (scene.instance()?, new_ticket());
    let last = other.client().confirm(ticket, "Ada", &yes())?;
    let mut held = scene.held_at("half")?;
    let client = held.client();
    let (meanwhile, own) = scope(|threads| {
        let sent = threads.spawn(|| client.send(&last, PAST_LEASE));
        held.wait_until_held()?;
        held.signal("STOP")?;
        let meanwhile = other.client().insist(&last, PAST_LEASE);
        held.signal("CONT")?;
        held.let_go()?;
        let own = sent.join().expect("a client does not panic");
        Ok::<_, Failure>((meanwhile, own))
    })?;
    scene.check_told(
        "an instance stands still past its lease: outcome unknown",
        &meanwhile,
        &Told::Unknown,
    );
    let bytes = scene.check_receipt("it wakes up: its own client gets the receipt", &own);
    let late = other.client().insist(&last, PAST_LEASE);
    scene.check_told(
        "it wakes up: the late result counts",
        &late,
        &Told::Paid(bytes),
    );
    scene.check_paid("it woke up: once in the ledger", ticket, 1)
}
