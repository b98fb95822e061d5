//! `cargo xtask lint-report --timing`: what the lint costs a run of rustc, body and helpers apart.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use mrtr_lint::Source;

use crate::lint_foreign::{Function, functions, rust_files};

/// How many functions of a crate are taken for its handlers.
const HANDLERS: usize = 40;

/// Judges functions of each crate as if they were its handlers, and prints what it took.
///
/// A run of rustc is played by one pass over a crate that was not looked at before: what the lint
/// keeps, it keeps for the process. Built without optimisation, as macros are.
///
/// # Errors
///
/// A text when no directory is given, or one has no async functions.
pub(crate) fn run(directories: &[String]) -> Result<(), String> {
    if directories.is_empty() {
        return Err(
            "usage: cargo xtask lint-report --timing CRATE.. (directories with `src`)".into(),
        );
    }
    println!("   lines  handlers  bodies ms  helpers ms  crate");
    for directory in directories.iter().map(Path::new) {
        let texts = rust_files(&directory.join("src"));
        let lines: usize = texts.iter().map(|(_, text)| text.lines().count()).sum();
        let chosen = handlers(functions(&texts));
        if chosen.is_empty() {
            return Err(format!("no async functions in {}/src", directory.display()));
        }
        let bodies = judge_all(&chosen, |_| Source::none());
        let whole = judge_all(&chosen, Function::source);
        println!(
            "{lines:>8}  {:>8}  {:>9.1}  {:>10.1}  {}",
            chosen.len(),
            milliseconds(bodies),
            milliseconds(whole.saturating_sub(bodies)),
            directory.file_name().unwrap_or_default().to_string_lossy(),
        );
    }
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

fn judge_all(functions: &[Function], source: impl Fn(&Function) -> Source) -> Duration {
    let start = clock();
    for function in functions {
        let _ = function.check(&source(function));
    }
    clock().saturating_sub(start)
}

/// The time this thread was computing; where the system does not tell, the time that went by.
///
/// On a busy machine the two are far apart.
fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let computing = told.and_then(|text| text.split(' ').next()?.parse().ok());
    computing.map_or_else(
        || START.get_or_init(Instant::now).elapsed(),
        Duration::from_nanos,
    )
}

/// Functions from all over the crate.
fn handlers(found: Vec<Function>) -> Vec<Function> {
    let step = found.len().div_ceil(HANDLERS).max(1);
    found.into_iter().step_by(step).collect()
}
