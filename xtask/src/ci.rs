//! Everything that must hold before a change lands.

use std::time::Instant;

use crate::Failure;
use crate::process::{cargo, run as run_command};

/// A step: its name and what it runs.
type Step = (&'static str, fn() -> Result<(), Failure>);

const STEPS: &[Step] = &[
    ("format", || {
        run_command(&mut cargo(&["fmt", "--all", "--check"]))
    }),
    ("clippy", clippy),
    ("tests", || {
        run_command(&mut cargo(&["test", "--workspace"]))
    }),
    ("docs", docs),
    ("clients", crate::clients::run),
];

/// Runs every step, also after one has failed, so that one run shows all there is to mend.
pub(crate) fn run() -> Result<(), Failure> {
    let mut failed = Vec::new();
    for (name, step) in STEPS {
        eprintln!("\n== {name}");
        let start = Instant::now();
        match step() {
            Ok(()) => eprintln!("== {name}: good, {} s", start.elapsed().as_secs()),
            Err(failure) => {
                eprintln!("== {name}: {failure}");
                failed.push(*name);
            }
        }
    }
    println!(
        "{} passed, {} failed",
        STEPS.len() - failed.len(),
        failed.len()
    );
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!("failed: {}", failed.join(", ")).into())
}

fn clippy() -> Result<(), Failure> {
    let mut clippy = cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]);
    run_command(&mut clippy)
}

fn docs() -> Result<(), Failure> {
    let mut docs = cargo(&["doc", "--workspace", "--no-deps"]);
    run_command(docs.env("RUSTDOCFLAGS", "-D warnings"))
}
