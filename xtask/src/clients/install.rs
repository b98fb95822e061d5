//! Puts the real clients under `target/clients`, each in its pinned version.

use std::path::{Path, PathBuf};
use std::process::Command;

use mrtr_wire::Revision;

use crate::Failure;
use crate::packages::{home, is_stale, mark, npm, npm_install};
use crate::process::run as run_command;

/// An installed client: the interpreter and the driver that it runs.
pub(crate) struct Client {
    pub(crate) name: &'static str,
    pub(crate) program: PathBuf,
    pub(crate) driver: PathBuf,
    /// The revisions that it can be told to offer in a handshake.
    pub(crate) offers: &'static [Revision],
}

/// The oldest Node that the TypeScript client runs on.
const OLDEST_NODE: u32 = 20;

/// The client of the TypeScript SDK.
pub(crate) fn typescript() -> Result<Client, Failure> {
    // A folder of its own, because the interpreters look beside the driver for the client.
    let files = ["package.json", "typescript.mjs"];
    let home = home("clients/typescript", "clients", &files)?;
    npm_install(&home)?;
    Ok(Client {
        name: "TypeScript",
        program: node(&home)?,
        driver: home.join("typescript.mjs"),
        offers: &Revision::HANDSHAKES,
    })
}

/// The client of the Python SDK.
pub(crate) fn python() -> Result<Client, Failure> {
    let home = home(
        "clients/python",
        "clients",
        &["requirements.txt", "python.py"],
    )?;
    let python = home.join("venv/bin/python");
    if is_stale(&home, "requirements.txt")? {
        run_command(
            Command::new("python3")
                .args(["-m", "venv", "--clear"])
                .arg(home.join("venv")),
        )?;
        let mut pip = Command::new(&python);
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]);
        run_command(pip.arg("-r").arg(home.join("requirements.txt")))?;
        mark(&home, "requirements.txt")?;
    }
    Ok(Client {
        name: "Python",
        program: python,
        driver: home.join("python.py"),
        // It always offers the newest it knows.
        offers: &[Revision::V2025_11_25],
    })
}

/// The machine's Node where it is new enough, else one from npm.
fn node(home: &Path) -> Result<PathBuf, Failure> {
    if node_version("node").is_some_and(|major| major >= OLDEST_NODE) {
        return Ok("node".into());
    }
    let own = home.join("node_modules/.bin/node");
    if node_version(&own).is_none() {
        run_command(npm(home).args([
            "install",
            "--no-save",
            "--no-audit",
            "--no-fund",
            "node@22",
        ]))?;
    }
    Ok(own)
}

fn node_version(program: impl AsRef<std::ffi::OsStr>) -> Option<u32> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.trim()
        .strip_prefix('v')?
        .split('.')
        .next()?
        .parse()
        .ok()
}
