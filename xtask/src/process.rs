//! Running other programs and saying which.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;

/// The checkout.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the checkout")
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(given) => root().join(given),
        None => root().join("target"),
    }
}

/// The cargo that runs this program.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Runs a program to its end.
///
/// # Errors
/// When it cannot be started or fails.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let words = words(command);
    eprintln!("$ {words}");
    let status = command
        .status()
        .map_err(|error| format!("`{words}` does not start: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{words}` failed: {status}").into())
    }
}

fn words(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(program).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
