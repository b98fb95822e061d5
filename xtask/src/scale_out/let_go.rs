//! Letting go of a commit in the middle: the client leaves, or the instance is told to end.

use std::thread::{scope, sleep};
use std::time::Duration;

use crate::Failure;

use super::client::{Told, yes};
use super::report::Report;
use super::scene::{SOON, Scene, new_ticket};

pub(super) fn play(report: &Report) -> Result<(), Failure> {
    let scene = Scene::new("let-go", report)?;
    client_leaves(&scene)?;
    instance_ends(&scene)
}

fn client_leaves(scene: &Scene<'_>) -> Result<(), Failure> {
    let (other, ticket) = (scene.instance()?, new_ticket());
    let last = other.client().confirm(ticket, "Ada", &yes())?;
    let mut held = scene.held_at("half")?;
    let client = held.client();
    let left = scope(|threads| {
        let sent = threads.spawn(|| client.send(&last, Duration::from_millis(600)));
        held.wait_until_held()?;
        Ok::<_, Failure>(sent.join().expect("a client does not panic"))
    })?;
    scene.check_told("the client leaves during the effect", &left, &Told::Lost);
    scene.check_paid("the client left: the effect had not happened", ticket, 0)?;
    held.let_go()?;
    let repeat = other.client().insist(&last, SOON);
    scene.check_receipt("the client left: a repeat gets the receipt", &repeat);
    scene.check_paid("the client left: the effect happened once", ticket, 1)
}

fn instance_ends(scene: &Scene<'_>) -> Result<(), Failure> {
    let (other, ticket) = (scene.instance()?, new_ticket());
    let last = other.client().confirm(ticket, "Ada", &yes())?;
    let mut held = scene.held_at("half")?;
    let client = held.client();
    scope(|threads| {
        threads.spawn(|| client.send(&last, SOON));
        held.wait_until_held()?;
        held.terminate()?;
        sleep(Duration::from_millis(200));
        held.let_go()
    })?;
    held.wait()?;
    let repeat = other.client().insist(&last, SOON);
    scene.check_receipt(
        "SIGTERM during the effect: a repeat gets the receipt",
        &repeat,
    );
    scene.check_paid("SIGTERM during the effect: it happened once", ticket, 1)
}
