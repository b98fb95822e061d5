//! Repeats of an effect that takes away its own precondition, and forks of a flow.

use std::thread::scope;

use serde_json::json;

use crate::Failure;

use super::Size;
use super::client::{Client, Request, Told, accept, yes};
use super::report::Report;
use super::scene::{SOON, Scene, all_at_once, all_same, new_ticket};

pub(super) fn play(report: &Report, size: Size) -> Result<(), Failure> {
    let scene = Scene::new("repeats", report)?;
    let instances = [scene.instance()?, scene.instance()?];
    let clients = [instances[0].client(), instances[1].client()];
    own_precondition(&scene, &clients, size.of(10, 100))?;
    forks(&scene, &clients, size.of(10, 100))
}

/// The handler refuses a paid ticket: no repeat may run into that, however it comes.
fn own_precondition(scene: &Scene<'_>, clients: &[Client], flows: usize) -> Result<(), Failure> {
    let mut faults = Vec::new();
    for _ in 0..flows {
        let ticket = new_ticket();
        let last = clients[0].confirm(ticket, "Ada", &yes())?;
        let mut told = all_at_once(clients, &last, 5, SOON);
        told.push(clients[1].insist(&last, SOON).told);
        let paid = scene.ledger.count(ticket)?;
        if paid != 1 || !all_same(&told) || !matches!(told[0], Told::Paid(_)) {
            faults.push(format!("{paid} times in the ledger, {told:?}"));
        }
    }
    scene.report.check(
        format!("{flows} times five finals at once and one later: one effect, one receipt"),
        faults.is_empty(),
        faults.join("; "),
    );
    Ok(())
}

/// Two continuations of one flow, both confirmed at the same moment.
fn forks(scene: &Scene<'_>, clients: &[Client; 2], flows: usize) -> Result<(), Failure> {
    let mut faults = Vec::new();
    for _ in 0..flows {
        if let Err(fault) = fork(scene, clients) {
            faults.push(fault.to_string());
        }
    }
    scene.report.check(
        format!("{flows} forks: one effect, no result for the other, the winner keeps its own"),
        faults.is_empty(),
        faults.join("; "),
    );
    Ok(())
}

fn fork(scene: &Scene<'_>, [a, b]: &[Client; 2]) -> Result<(), Failure> {
    let ticket = new_ticket();
    let first = Request::first(ticket);
    // Both from the one state of the first round.
    let who = a.step(&first, "who", &json!({ "value": "Ada" }))?;
    let bob = who.answering("who", &accept(&json!({ "value": "Bob" })));
    let finals = [a.finish(&who, &yes())?, b.finish(&bob, &yes())?];
    let [ada, bob] = scope(|threads| {
        let ada = threads.spawn(|| a.insist(&finals[0], SOON).told);
        let bob = threads.spawn(|| b.insist(&finals[1], SOON).told);
        [ada, bob].map(|told| told.join().expect("a client does not panic"))
    });
    let (winner, receipt) = match (&ada, &bob) {
        (Told::Paid(_), Told::Ended) => (0, ada),
        (Told::Ended, Told::Paid(_)) => (1, bob),
        _ => return Err(format!("both at once: {ada:?} and {bob:?}").into()),
    };
    let back = b.insist(&who, SOON).told;
    if back != Told::Ended {
        return Err(format!("an earlier round after the end: {back:?}").into());
    }
    let again = b.insist(&finals[winner], SOON).told;
    let paid = scene.ledger.count(ticket)?;
    if again != receipt || paid != 1 {
        return Err(format!("{paid} times in the ledger, then {again:?}").into());
    }
    Ok(())
}
