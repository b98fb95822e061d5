//! Writes the expected outputs anew: compile errors and snapshots.

use crate::Failure;
use crate::process::{cargo, run as run_command};

/// Runs the tests so that they write what they would compare with.
pub(crate) fn run() -> Result<(), Failure> {
    // A first run writes; a test that fails for another reason still lets the others write.
    let blessed = run_command(
        cargo(&["test", "--workspace", "--no-fail-fast"])
            .env("TRYBUILD", "overwrite")
            .env("UPDATE_EXPECT", "1"),
    );
    eprintln!("not run: formatting, clippy, docs, real clients (`cargo xtask ci` runs them)");
    eprintln!("now read the difference: git diff -- '*.stderr' '*/snapshots/*'");
    blessed
}
