//! `cargo xtask conformance`: the official suite against the example `conformance`.
//!
//! Held to are all scenarios of both revisions, those that are not scored as well, and warnings as
//! well as failures. What is not held to is listed with its reason, and the list holds nothing that
//! passes.

mod exempt;
mod record;
mod suite;

use std::collections::BTreeSet;
use std::process::Command;

use crate::Failure;
use crate::http_server::HttpServer;
use crate::process::{cargo, run as run_command, target};

use record::Record;
use suite::{Selection, Suite};

const REVISIONS: [&str; 2] = ["2026-07-28", "2025-11-25"];
const EXAMPLE: &str = "conformance";

/// Installs the suite, builds and starts the server, and runs all there is; the last line counts.
pub(crate) fn run() -> Result<(), Failure> {
    let package = ["--package", "mrtr-examples", "--example", EXAMPLE];
    run_command(cargo(&["build"]).args(package))?;
    let suite = Suite::install()?;
    let (mut passed, mut failed, mut used) = (0, 0, BTreeSet::new());
    for revision in REVISIONS {
        for selection in [Selection::All, Selection::Required] {
            // A server of its own, so that no run meets what another has left behind.
            let server = server()?;
            println!("\n== {revision}, {selection}");
            for record in suite.run(server.url(), revision, selection)? {
                match judge(&record, &mut used) {
                    Some(true) => passed += 1,
                    Some(false) => failed += 1,
                    None => {}
                }
            }
        }
    }
    for stale in exempt::unused(&used) {
        println!("FAILED {stale}: it is exempt and passes");
        failed += 1;
    }
    println!("\n{passed} passed, {failed} failed");
    if failed == 0 {
        Ok(())
    } else {
        Err("the server does not conform".into())
    }
}

/// Prints a line of the table; says whether the scenario passed, if it is held to.
fn judge(record: &Record, used: &mut BTreeSet<&'static str>) -> Option<bool> {
    let why = exempt::reason(&record.scenario).filter(|_| !record.scored && !record.is_clean());
    let (mark, note) = match why {
        Some((entry, why)) => {
            used.insert(entry);
            ("exempt", format!(": {why}"))
        }
        None if record.is_clean() => ("ok", String::new()),
        None => ("FAILED", String::new()),
    };
    println!("{mark:6} {record}{note}");
    for finding in &record.findings {
        println!("         {finding}");
    }
    why.is_none().then(|| record.is_clean())
}

fn server() -> Result<HttpServer, Failure> {
    let program = format!("{EXAMPLE}{}", std::env::consts::EXE_SUFFIX);
    let program = target().join("debug/examples").join(program);
    HttpServer::start(Command::new(program).args(["--http", "127.0.0.1:0"]))
}
