//! Redis is killed just before it is asked: at the look, at the claim, at the finish.

use std::thread::scope;

use crate::Failure;

use super::client::{Reply, Request, Told, yes};
use super::report::Report;
use super::scene::{SOON, Scene, new_ticket};

pub(super) fn play(report: &Report) -> Result<(), Failure> {
    let mut scene = Scene::new("redis-down", report)?;
    nothing_done(&mut scene, "look")?;
    nothing_done(&mut scene, "claim")?;
    recorded_later(&mut scene)
}

/// Before the effect, nothing is done, and the same request can be sent again.
fn nothing_done(scene: &mut Scene<'_>, point: &'static str) -> Result<(), Failure> {
    let (other, ticket) = (scene.instance()?, new_ticket());
    let last = other.client().confirm(ticket, "Ada", &yes())?;
    let reply = without_redis(scene, point, &last)?;
    let name = format!("Redis down at the {point}");
    scene.check_told(
        &format!("{name}: nothing is done"),
        &reply,
        &Told::NothingDone,
    );
    scene.check_paid(&format!("{name}: nothing in the ledger"), ticket, 0)?;
    scene.redis.restart()?;
    let again = other.client().insist(&last, SOON);
    scene.check_receipt(&format!("{name}: it goes on when Redis is back"), &again);
    scene.check_paid(&format!("{name}: once in the ledger"), ticket, 1)
}

/// After the effect, the caller gets the true result, and it is recorded when Redis is back.
fn recorded_later(scene: &mut Scene<'_>) -> Result<(), Failure> {
    let (other, ticket) = (scene.instance()?, new_ticket());
    let last = other.client().confirm(ticket, "Ada", &yes())?;
    let mut held = scene.held_at("finish")?;
    let reply = cut_off(scene, &mut held, &last)?;
    let bytes = scene.check_receipt(
        "Redis down at the finish: the caller gets the result",
        &reply,
    );
    scene.redis.restart()?;
    let again = other.client().insist(&last, SOON);
    scene.check_told(
        "Redis down at the finish: a repeat gets the same bytes later",
        &again,
        &Told::Paid(bytes),
    );
    scene.check_paid("Redis down at the finish: once in the ledger", ticket, 1)
}

fn without_redis(
    scene: &mut Scene<'_>,
    point: &'static str,
    request: &Request,
) -> Result<Reply, Failure> {
    let mut held = scene.held_at(point)?;
    cut_off(scene, &mut held, request)
}

/// Sends a request to an instance that holds, and kills Redis meanwhile.
fn cut_off(
    scene: &mut Scene<'_>,
    held: &mut super::instance::Instance,
    request: &Request,
) -> Result<Reply, Failure> {
    let client = held.client();
    scope(|threads| {
        let sent = threads.spawn(|| client.send(request, SOON));
        held.wait_until_held()?;
        scene.redis.kill();
        held.let_go()?;
        Ok(sent.join().expect("a client does not panic"))
    })
}
