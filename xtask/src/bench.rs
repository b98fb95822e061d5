//! `cargo xtask bench`: builds the servers of the benchmark and runs them side by side.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::process::{cargo, root, run as run_command, target};

/// Each is built alone, so that no peer's features reach another's dependencies.
const SERVERS: [&str; 4] = [
    "bench-mrtr",
    "bench-floor",
    "bench-rmcp",
    "bench-flymcprust",
];

/// Builds and runs; `args` go to the runner.
///
/// # Errors
/// When something does not build, a peer answers wrongly, or a tool is missing.
pub(crate) fn run(args: &[String]) -> Result<(), Failure> {
    let target = target();
    let place = target.join("bench");
    for package in SERVERS.into_iter().chain(["bench-runner"]) {
        run_command(&mut build(&place, &["build", "--release", "-p", package]))?;
    }
    let bins = place.join("release");
    let checks = args.iter().any(|arg| arg == "--check");
    if !checks {
        let binary = in_process(&place)?;
        std::fs::copy(binary, bins.join("in-process"))?;
    }
    let mut runner = Command::new(bins.join("bench-runner"));
    runner.arg(root()).arg(&bins).arg(target.join("bench.json"));
    run_command(runner.args(args))
}

fn build(place: &Path, args: &[&str]) -> Command {
    let mut command = cargo(args);
    command.current_dir(root().join("benches"));
    command.arg("--target-dir").arg(place);
    command
}

/// Builds the benchmark without a transport and says where it is.
fn in_process(place: &Path) -> Result<PathBuf, Failure> {
    let args = [
        "build",
        "--release",
        "--benches",
        "-p",
        "bench-in-process",
        "--message-format",
        "json",
    ];
    let output = build(place, &args)
        .stderr(std::process::Stdio::inherit())
        .output()?;
    let said = String::from_utf8(output.stdout)?;
    let binary = said
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == "call")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from));
    Ok(binary.ok_or("the benchmark without a transport does not build")?)
}
