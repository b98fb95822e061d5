//! `kill -9` at seven points of a commit; the final round then comes five times at two others.

use std::thread::{scope, sleep};
use std::time::Duration;

use crate::Failure;

use super::client::{Client, Told, yes};
use super::report::Report;
use super::scene::{PAST_LEASE, SOON, Scene, all_at_once, all_same, new_ticket};

/// What must become of a flow whose server died at a point.
struct Death {
    point: &'static str,
    /// The clients get the receipt; otherwise they are told that the outcome is unknown.
    receipt: bool,
    /// How many lines the ledger has in the end.
    paid: usize,
}

const fn death(point: &'static str, receipt: bool, paid: usize) -> Death {
    Death {
        point,
        receipt,
        paid,
    }
}

/// Before the claim reached the store another instance carries the call out. From then on nobody
/// knows, until the result is recorded.
const DEATHS: [Death; 7] = [
    death("claim", true, 1),
    death("claim-sent", false, 0),
    death("claimed", false, 0),
    death("half", false, 0),
    death("done", false, 1),
    death("finish-sent", true, 1),
    death("finished", true, 1),
];

pub(super) fn play(report: &Report) -> Result<(), Failure> {
    let scene = Scene::new("kills", report)?;
    let others = [scene.instance()?, scene.instance()?];
    let clients = [others[0].client(), others[1].client()];
    scope(|threads| {
        for death in &DEATHS {
            let (scene, clients) = (&scene, &clients);
            threads.spawn(move || {
                if let Err(failure) = die(scene, clients, death) {
                    report.broken(&format!("kill -9 at `{}`", death.point), failure);
                }
            });
        }
    });
    Ok(())
}

fn die(scene: &Scene<'_>, others: &[Client], death: &Death) -> Result<(), Failure> {
    let ticket = new_ticket();
    let last = others[0].confirm(ticket, "Ada", &yes())?;
    let mut victim = scene.held_at(death.point)?;
    let client = victim.client();
    scope(|threads| {
        threads.spawn(|| client.send(&last, SOON));
        let held = victim.wait_until_held();
        // What was sent to the store arrives; what waits for its reply goes on waiting.
        sleep(Duration::from_millis(50));
        victim.kill();
        held
    })?;
    let told = all_at_once(others, &last, 5, PAST_LEASE);
    let as_expected = |told: &Told| match told {
        Told::Paid(_) => death.receipt,
        Told::Unknown => !death.receipt,
        _ => false,
    };
    let outcome = if death.receipt {
        "the receipt"
    } else {
        "outcome unknown"
    };
    scene.report.check(
        format!("kill -9 at `{}`: five repeats get {outcome}", death.point),
        told.iter().all(as_expected) && all_same(&told),
        format!("{told:?}"),
    );
    let what = format!("kill -9 at `{}`: {} in the ledger", death.point, death.paid);
    scene.check_paid(&what, ticket, death.paid)
}
