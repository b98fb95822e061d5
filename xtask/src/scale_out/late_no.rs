//! A no and a yes to one question, in every order: after the no was taken nothing is paid.

use std::thread::{scope, sleep};
use std::time::Duration;

use crate::Failure;

use super::Size;
use super::client::{Client, Told, no, yes};
use super::report::Report;
use super::scene::{SOON, Scene, new_ticket};

/// How many flows are played at the same time.
const AT_ONCE: usize = 4;

pub(super) fn play(report: &Report, size: Size) -> Result<(), Failure> {
    let scene = Scene::new("late-no", report)?;
    let instances = [scene.instance()?, scene.instance()?];
    let clients = [instances[0].client(), instances[1].client()];
    let flows = size.of(40, 10_000);
    let faults: Vec<String> = scope(|threads| {
        let workers: Vec<_> = (0..AT_ONCE)
            .map(|worker| {
                let (scene, clients) = (&scene, &clients);
                threads.spawn(move || {
                    let mine = (worker..flows).step_by(AT_ONCE);
                    mine.filter_map(|turn| {
                        let fault = both(scene, clients, turn).err();
                        fault.map(|fault| fault.to_string())
                    })
                    .collect::<Vec<_>>()
                })
            })
            .collect();
        let done = workers.into_iter().map(|worker| worker.join());
        done.flat_map(|faults| faults.expect("a worker does not panic"))
            .collect()
    });
    report.check(
        format!("{flows} times a no and a yes: nothing is paid after the no was taken"),
        faults.is_empty(),
        faults.join("; "),
    );
    Ok(())
}

/// The turn decides which of the two goes first, and by how much.
fn both(scene: &Scene<'_>, [a, b]: &[Client; 2], turn: usize) -> Result<(), Failure> {
    let ticket = new_ticket();
    let agreed = a.confirm(ticket, "Ada", &yes())?;
    let declined = agreed.answering("ok", &no());
    let lead = Duration::from_micros((turn * 379 % 12_000) as u64);
    let (wait_no, wait_yes) = match turn % 3 {
        0 => (lead, Duration::ZERO),
        1 => (Duration::ZERO, lead),
        // The yes was held up somewhere, and comes when the no has long been answered.
        _ => (Duration::ZERO, Duration::from_millis(60)),
    };
    let (no, yes) = scope(|threads| {
        let no = threads.spawn(|| {
            sleep(wait_no);
            b.send(&declined, SOON).told
        });
        let yes = threads.spawn(|| {
            sleep(wait_yes);
            a.send(&agreed, SOON).told
        });
        (
            no.join().expect("a client does not panic"),
            yes.join().expect("a client does not panic"),
        )
    });
    let paid = scene.ledger.count(ticket)?;
    let good = match (&no, &yes) {
        (Told::NotPaid, Told::Ended) => paid == 0,
        (Told::Busy | Told::Ended, Told::Paid(_)) => paid == 1,
        _ => false,
    };
    if good {
        return Ok(());
    }
    Err(format!("no: {no:?}, yes: {yes:?}, {paid} in the ledger").into())
}
