//! A store that is full refuses; it does not forget.

use crate::Failure;

use super::Size;
use super::client::{Request, Told, yes};
use super::instance::{Instance, Settings};
use super::report::Report;
use super::scene::{SOON, Scene, new_ticket};

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
    let foreign = size.of(50, 1_000);
    let mut refused = 0;
    let mut last: Option<Request> = None;
    for turn in 0..foreign {
        // Most attempts are repeats of one flow, as an attacker's are.
        let request = match &last {
            Some(request) if turn % 10 != 0 => request.clone(),
            _ => client.confirm(new_ticket(), "Eve", &yes())?,
        };
        let reply = client.send(&request, SOON);
        refused += usize::from(reply.told == Told::NothingDone);
        last = Some(request);
    }
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
