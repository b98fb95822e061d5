//! Runs the servers of the benchmark side by side and prints one table.
//!
//! `cargo xtask bench` builds everything and starts this program; each measurement is taken of one
//! peer after the other, and all of that several times, so that a machine that is busy for a while
//! is busy for all of them.

mod callgrind;
mod check;
mod client;
mod compile;
mod flows;
mod http;
mod in_process;
mod lists;
mod messages;
mod options;
mod peer;
mod processor;
mod stdio;
mod table;

use std::process::ExitCode;

use options::Options;
use peer::Peer;
use table::Table;

/// Why the benchmark stopped.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    let options = Options::from_args()?;
    let peers = Peer::all(&options.bins);
    for peer in &peers {
        check::answers(peer)?;
    }
    check::same_bytes(&peers[0], &peers[1])?;
    eprintln!("every peer answers as it should");
    if options.check {
        return Ok(());
    }
    let mut table = Table::new(&options);
    let steps: [(
        &str,
        fn(&Options, &[Peer], &mut Table) -> Result<(), Failure>,
    ); 7] = [
        ("http", http::measure),
        ("lists", lists::measure),
        ("stdio", stdio::measure),
        ("flows", flows::measure),
        ("instructions", callgrind::measure),
        ("in-process", in_process::measure),
        ("compile", compile::measure),
    ];
    for (name, step) in steps {
        if options.wants(name) {
            eprintln!("measuring: {name}");
            step(&options, &peers, &mut table)?;
        }
    }
    println!("{table}");
    table.write(&options.json)
}
