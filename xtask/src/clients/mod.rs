//! Real clients against the example server: each client, each transport, each case.

mod cases;
mod drive;
mod install;
mod server;
mod transcript;

use crate::Failure;
use crate::process::{cargo, run as run_command};

use cases::CASES;
use drive::Client;
use server::Place;

/// Installs the clients, builds the server and plays every case; the last line counts.
pub(crate) fn run() -> Result<(), Failure> {
    run_command(&mut cargo(&[
        "build",
        "--package",
        "mrtr-examples",
        "--bin",
        "mrtr-examples",
    ]))?;
    let clients = [install::typescript()?, install::python()?];
    let http = server::over_http()?;
    let (mut passed, mut failed) = (0, 0);
    for client in &clients {
        for place in [Place::Stdio, Place::Http(http.url())] {
            for case in CASES {
                let name = format!("{} over {place}: {}", client.name, case.name);
                match play(client, &place, case) {
                    Ok(()) => passed += 1,
                    Err(why) => {
                        failed += 1;
                        println!("FAILED {name}\n{why}\n");
                        continue;
                    }
                }
                println!("ok     {name}");
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 {
        Ok(())
    } else {
        Err("a client and the server do not agree".into())
    }
}

fn play(client: &Client, place: &Place<'_>, case: &cases::Case) -> Result<(), Failure> {
    let run = drive::drive(client, place, case)?;
    let faults = run.transcript.faults();
    if !faults.is_empty() {
        return Err(format!(
            "the server's messages are wrong:\n  {}",
            faults.join("\n  ")
        )
        .into());
    }
    // The list of tools, at least one response with questions, and the end.
    if run.transcript.messages() < 3 {
        return Err("not every message was recorded".into());
    }
    case.judge(&run)
}
