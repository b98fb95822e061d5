//! A store that is full refuses; it does not forget.

use std::thread::scope;

use crate::Failure;

use super::Size;
use super::client::{Client, Request, Told, yes};
use super::instance::{Instance, Settings};
use super::report::Report;
use super::scene::{SOON, Scene, new_ticket};

/// How many there are who want to push others' flows out, at the same time.
const ATTACKERS: usize = 4;

pub(super) fn play(report: &Report, size: Size) -> Result<(), Failure> {
    let scene = Scene::new("full", report)?;
    let settings = Settings {
        records: Some(2),
        ..scene.settings.clone()
    };
    let instance = Instance::start(&settings)?;
    let client = instance.client();
    let mut receipts = Vec::new();
    for _ in 0..2 {
        let last = client.confirm(new_ticket(), "Ada", &yes())?;
        let reply = client.insist(&last, SOON);
        let bytes = scene.check_receipt("a store with room for two takes a flow", &reply);
        receipts.push((last, bytes));
    }
    let paid = scene.ledger.read()?;
    let foreign = size.of(52, 100_000);
    let share = foreign / ATTACKERS;
    let refused: usize = scope(|threads| {
        let attackers: Vec<_> = (0..ATTACKERS)
            .map(|_| threads.spawn(|| attack(&client, share).map_err(|why| why.to_string())))
            .collect();
        let counts = attackers.into_iter().map(|attacker| attacker.join());
        let counts = counts.map(|count| count.expect("an attacker does not panic"));
        counts.sum::<Result<usize, String>>()
    })?;
    report.check(
        format!("a full store refuses {foreign} more attempts"),
        refused == foreign,
        format!("{refused} of them were refused"),
    );
    let now = scene.ledger.read()?;
    report.check(
        "a full store lets nothing into the ledger",
        now == paid,
        format!("{now:?}"),
    );
    for (last, bytes) in receipts {
        let told = client.send(&last, SOON).told;
        report.check(
            "a full store still has its flows, byte for byte",
            told == Told::Paid(bytes),
            format!("{told:?}"),
        );
    }
    Ok(())
}

/// Attempts so many commits, and counts those that were refused.
fn attack(client: &Client, attempts: usize) -> Result<usize, Failure> {
    let mut refused = 0;
    let mut last: Option<Request> = None;
    for turn in 0..attempts {
        // Most attempts are repeats of one flow, as an attacker's are.
        let request = match &last {
            Some(request) if turn % 10 != 0 => request.clone(),
            _ => client.confirm(new_ticket(), "Eve", &yes())?,
        };
        let reply = client.send(&request, SOON);
        refused += usize::from(reply.told == Told::NothingDone);
        last = Some(request);
    }
    Ok(refused)
}
