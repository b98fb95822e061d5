//! A store that has lost its memory, or is another one, or none: refused, never twice.

use std::thread::scope;

use crate::Failure;

use super::client::{Told, yes};
use super::instance::{Instance, Settings};
use super::report::Report;
use super::scene::{SOON, Scene, new_ticket};

pub(super) fn play(report: &Report) -> Result<(), Failure> {
    let scene = Scene::new("amnesia", report)?;
    before(&scene)?;
    between(&scene)?;
    after(&scene)?;
    elsewhere(&scene)
}

fn before(scene: &Scene<'_>) -> Result<(), Failure> {
    let (instance, ticket) = (scene.instance()?, new_ticket());
    let last = instance.client().confirm(ticket, "Ada", &yes())?;
    scene.redis.forget()?;
    let reply = instance.client().insist(&last, SOON);
    scene.check_told("FLUSHALL before the claim: refused", &reply, &Told::Refused);
    scene.check_paid(
        "FLUSHALL before the claim: nothing in the ledger",
        ticket,
        0,
    )
}

fn between(scene: &Scene<'_>) -> Result<(), Failure> {
    let (instance, ticket) = (scene.instance()?, new_ticket());
    let last = instance.client().confirm(ticket, "Ada", &yes())?;
    let mut held = scene.held_at("claimed")?;
    let client = held.client();
    let reply = scope(|threads| {
        let sent = threads.spawn(|| client.send(&last, SOON));
        held.wait_until_held()?;
        scene.redis.forget()?;
        held.let_go()?;
        Ok::<_, Failure>(sent.join().expect("a client does not panic"))
    })?;
    scene.check_receipt(
        "FLUSHALL after the claim: the holder tells its result",
        &reply,
    );
    let repeat = instance.client().insist(&last, SOON);
    scene.check_told(
        "FLUSHALL after the claim: a repeat is refused",
        &repeat,
        &Told::Refused,
    );
    scene.check_paid("FLUSHALL after the claim: once in the ledger", ticket, 1)
}

fn after(scene: &Scene<'_>) -> Result<(), Failure> {
    let (instance, ticket) = (scene.instance()?, new_ticket());
    let last = instance.client().confirm(ticket, "Ada", &yes())?;
    let reply = instance.client().insist(&last, SOON);
    scene.check_receipt("FLUSHALL after the finish: paid before it", &reply);
    scene.redis.forget()?;
    let repeat = instance.client().insist(&last, SOON);
    scene.check_told(
        "FLUSHALL after the finish: a repeat is refused",
        &repeat,
        &Told::Refused,
    );
    scene.check_paid("FLUSHALL after the finish: once in the ledger", ticket, 1)
}

/// Instances that do not share the store, by mistake.
fn elsewhere(scene: &Scene<'_>) -> Result<(), Failure> {
    let (instance, ticket) = (scene.instance()?, new_ticket());
    let last = instance.client().confirm(ticket, "Ada", &yes())?;
    let other_database = Settings {
        redis: Some(scene.redis.url(1)),
        ..scene.settings.clone()
    };
    let no_store = Settings {
        redis: None,
        ..scene.settings.clone()
    };
    for (name, settings) in [("another database", other_database), ("no store", no_store)] {
        let stranger = Instance::start(&settings)?;
        let reply = stranger.client().send(&last, SOON);
        scene.check_told(
            &format!("an instance with {name}: refused"),
            &reply,
            &Told::Refused,
        );
    }
    scene.check_paid(
        "instances without the store: nothing in the ledger",
        ticket,
        0,
    )
}
