//! `cargo xtask scale-out`: three instances, a load balancer and a Redis, with everything going wrong.
//!
//! It shows from the outside what the flow store promises: an effect happens once, whichever
//! instance a round reaches, however often it is sent, and whatever dies meanwhile.

mod amnesia;
mod balancer;
mod client;
mod fleet;
mod flow;
mod full;
mod instance;
mod kills;
mod late_no;
mod ledger;
mod let_go;
mod pause;
mod place;
mod redis;
mod redis_down;
mod repeats;
mod report;
mod rotation;
mod scene;
mod traffic;

use std::sync::atomic::Ordering;
use std::thread::scope;
use std::time::Instant;

use crate::Failure;
use crate::process::{cargo, run as run_command};

use report::Report;

/// How much a run plays.
#[derive(Clone, Copy)]
pub(super) struct Size {
    quick: bool,
}

impl Size {
    /// One number or the other.
    pub(super) fn of(self, quick: usize, full: usize) -> usize {
        if self.quick { quick } else { full }
    }
}

/// A scene: its name and what plays it.
type Play = (&'static str, fn(&Report, Size) -> Result<(), Failure>);

const SCENES: &[Play] = &[
    ("traffic", traffic::play),
    ("kills", |report, _| kills::play(report)),
    ("amnesia", |report, _| amnesia::play(report)),
    ("full", full::play),
    ("repeats", repeats::play),
    ("late no", late_no::play),
    ("let go", |report, _| let_go::play(report)),
    ("pause", |report, _| pause::play(report)),
    ("Redis down", |report, _| redis_down::play(report)),
    ("rotation", |report, _| rotation::play(report)),
];

/// Plays all scenes at the same time: most of them wait for leases to end.
///
/// # Errors
/// When anything does not hold, or cannot be tried.
pub(crate) fn run(args: &[String]) -> Result<(), Failure> {
    let quick = match args {
        [] => false,
        [option] if option == "--quick" => true,
        _ => return Err("usage: cargo xtask scale-out [--quick]".into()),
    };
    run_command(&mut cargo(&["build", "-p", "mrtr-scale-out"]))?;
    let (report, start) = (Report::default(), Instant::now());
    scope(|threads| {
        for (name, play) in SCENES {
            let report = &report;
            threads.spawn(move || {
                if let Err(failure) = play(report, Size { quick }) {
                    report.broken(name, failure);
                }
            });
        }
    });
    println!(
        "{} requests in {} s",
        client::SENT.load(Ordering::Relaxed),
        start.elapsed().as_secs()
    );
    let (passed, failed) = report.counts();
    println!("{passed} passed, {failed} failed");
    if failed == 0 {
        return Ok(());
    }
    Err("the scale-out run failed".into())
}
