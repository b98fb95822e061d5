//! The key ring changes between each two rounds, and before the repeat.

use crate::Failure;

use super::client::{Request, Told, yes};
use super::instance::{Instance, KEYS};
use super::report::Report;
use super::scene::{SOON, Scene, new_ticket};
use serde_json::json;

pub(super) fn play(report: &Report) -> Result<(), Failure> {
    let scene = Scene::new("rotation", report)?;
    let [old, new] = KEYS;
    let rings: [&[&str]; 4] = [&[old], &[old, new], &[new, old], &[new]];
    let instances = rings.map(|ring| Instance::start(&scene.settings.with_keys(ring)));
    let mut clients = Vec::new();
    let mut running = Vec::new();
    for instance in instances {
        let instance = instance?;
        clients.push(instance.client());
        running.push(instance);
    }
    let ticket = new_ticket();
    let who = clients[0].step(&Request::first(ticket), "who", &json!({ "value": "Ada" }))?;
    let last = clients[1].finish(&who, &yes())?;
    let paid = clients[2].insist(&last, SOON);
    let bytes = scene.check_receipt("a ring for each round: paid", &paid);
    for (client, ring) in [(&clients[0], "before"), (&clients[1], "in the middle of")] {
        let repeat = client.insist(&last, SOON);
        // Where the ring is older than the record, its body cannot be read.
        let known =
            matches!(&repeat.told, Told::NotKept) || repeat.told == Told::Paid(bytes.clone());
        let what = format!("a repeat to a ring from {ring} the rotation never runs the call");
        report.check(what, known, format!("{:?}", repeat.told));
    }
    let gone = clients[3].insist(&last, SOON);
    scene.check_told(
        "with the old key gone, its states are refused",
        &gone,
        &Told::Refused,
    );
    scene.check_paid("a ring for each round: once in the ledger", ticket, 1)?;

    // The state bears the new key, the record the old one.
    let ticket = new_ticket();
    let last = clients[2].confirm(ticket, "Ada", &yes())?;
    scene.check_receipt(
        "a record sealed with the old key",
        &clients[1].insist(&last, SOON),
    );
    let unread = clients[3].insist(&last, SOON);
    scene.check_told(
        "with the old key gone, its records stay ends",
        &unread,
        &Told::NotKept,
    );
    scene.check_paid("a record nobody reads is no reason to pay again", ticket, 1)
}
