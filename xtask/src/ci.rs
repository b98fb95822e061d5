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
    ("features", features),
    ("slim", || {
        run_command(&mut cargo(&[
            "check",
            "-p",
            "mrtr",
            "--no-default-features",
        ]))
    }),
    ("bytes", bytes),
    ("docs", docs),
    ("lint-report", || Ok(crate::lint_report::run(&[])?)),
    ("clients", crate::clients::run),
    ("conformance", crate::conformance::run),
    ("scale-out", || crate::scale_out::run(&["--quick".into()])),
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
    let all = ["clippy", "--workspace", "--all-targets", "--all-features"];
    run_command(cargo(&all).args(["--", "-D", "warnings"]))
}

/// The tests that need a feature which is off by default.
fn features() -> Result<(), Failure> {
    let both = ["-p", "mrtr-core", "-p", "mrtr-runtime"];
    run_command(cargo(&["test"]).args(both).arg("--all-features"))
}

/// What must not depend on the features that others turn on in serde_json, once more with them.
fn bytes() -> Result<(), Failure> {
    let others =
        "serde_json/preserve_order,serde_json/arbitrary_precision,serde_json/float_roundtrip";
    run_command(&mut cargo(&[
        "test",
        "-p",
        "mrtr-bytes",
        "--features",
        others,
    ]))
}

fn docs() -> Result<(), Failure> {
    let mut docs = cargo(&["doc", "--workspace", "--no-deps", "--all-features"]);
    run_command(docs.env("RUSTDOCFLAGS", "-D warnings"))
}
