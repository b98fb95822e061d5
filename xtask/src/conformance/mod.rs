//! `cargo xtask conformance`: the official suite against the example `conformance`.
//!
//! Held to are all scenarios, those that are not scored as well, and warnings as well as failures.
//! What is not held to is listed with its reason, and the list holds nothing that passes.

mod exempt;
mod record;
mod suite;
mod tally;

use std::process::Command;

use crate::Failure;
use crate::http_server::HttpServer;
use crate::process::{cargo, run as run_command, target};

use suite::{Selection, Suite};
use tally::Tally;

/// What is run. The suite has lists of what is required for the two newest revisions only, and
/// most of its scenarios for the three newest.
const RUNS: [(&str, Selection); 6] = [
    ("2026-07-28", Selection::All),
    ("2026-07-28", Selection::Required),
    ("2025-11-25", Selection::All),
    ("2025-11-25", Selection::Required),
    ("2025-06-18", Selection::All),
    ("2025-03-26", Selection::All),
];

const EXAMPLE: &str = "conformance";

/// Installs the suite, builds and starts the server, and runs all there is; the last line counts.
pub(crate) fn run() -> Result<(), Failure> {
    let package = ["--package", "mrtr-examples", "--example", EXAMPLE];
    run_command(cargo(&["build"]).args(package))?;
    let suite = Suite::install()?;
    let mut tally = Tally::default();
    for (revision, selection) in RUNS {
        // A server of its own, so that no run meets what another has left behind.
        let server = server()?;
        println!("\n== {revision}, {selection}");
        tally.judge(&suite.run(server.url(), revision, selection)?);
    }
    tally.finish()
}

fn server() -> Result<HttpServer, Failure> {
    let program = format!("{EXAMPLE}{}", std::env::consts::EXE_SUFFIX);
    let program = target().join("debug/examples").join(program);
    HttpServer::start(Command::new(program).args(["--http", "127.0.0.1:0"]))
}
