//! The project's own chores: `cargo xtask COMMAND`.

mod bench;
mod bless;
mod ci;
mod clients;
mod conformance;
mod explain;
mod http_server;
mod lint_foreign;
mod lint_report;
mod lint_sample;
mod lint_timing;
mod packages;
mod process;
mod scale_out;
mod tee;

use std::process::ExitCode;

/// Why a chore failed, for whoever ran it.
type Failure = Box<dyn std::error::Error>;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  ci           everything that must hold before a change lands
  bench        measures mrtr beside its peers: [--quick | --check] [PART].. (wrk, valgrind)
  bless        writes the expected outputs anew: compile errors and snapshots
  scale-out    plays three instances behind a load balancer, and kills what it can (--quick: less)
  clients      lets the TypeScript and the Python client play against a server, on every revision
  conformance  runs the official conformance suite against the example `conformance`
  explain      prints the page of a finding of the lint: NAME
  lint-report  how often the lint is right on the cases it is held to [DIRECTORY];
               --timing CRATE..: what it costs a run of rustc on foreign crates;
               --sample SEED COUNT CRATE..: functions of foreign crates, and its verdicts, to read
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match args.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[][..]),
    };
    let done = match command {
        "ci" => ci::run(),
        "bench" => bench::run(rest),
        "bless" => bless::run(),
        "clients" => clients::run(),
        "conformance" => conformance::run(),
        "explain" => explain::run(rest).map_err(Failure::from),
        "lint-report" => match rest {
            [option, crates @ ..] if option == "--timing" => lint_timing::run(crates),
            [option, drawn @ ..] if option == "--sample" => lint_sample::run(drawn),
            _ => lint_report::run(rest),
        }
        .map_err(Failure::from),
        "scale-out" => scale_out::run(rest),
        // Used by `clients` between a client and the server; of no use by hand.
        "tee" => tee::run(rest),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("no such command: `{command}`\n\n{USAGE}").into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
