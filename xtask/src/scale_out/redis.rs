//! A real Redis that keeps what it has acknowledged, also when it is killed.

use std::fs;
use std::process::{Command, Stdio};

use crate::Failure;

use super::place::{Place, Process, free_port, wait_for_port};

/// A Redis of the run.
pub(super) struct Redis {
    place: Place,
    port: u16,
    process: Process,
}

impl Redis {
    /// Starts one with an empty directory.
    pub(super) fn start(name: &str) -> Result<Self, Failure> {
        let (place, port) = (Place::new(name)?, free_port()?);
        let process = spawn(&place, port)?;
        Ok(Self {
            place,
            port,
            process,
        })
    }

    /// Its URL, with the number of a database.
    pub(super) fn url(&self, database: u8) -> String {
        format!("redis://127.0.0.1:{}/{database}", self.port)
    }

    /// Kills it on the spot.
    pub(super) fn kill(&mut self) {
        self.process.kill();
    }

    /// Starts it again on its data.
    pub(super) fn restart(&mut self) -> Result<(), Failure> {
        self.process = spawn(&self.place, self.port)?;
        Ok(())
    }

    /// Whether a text stands anywhere in what it wrote to its disk.
    pub(super) fn holds(&self, text: &str) -> Result<bool, Failure> {
        let mut found = false;
        for file in fs::read_dir(self.place.file("appendonlydir"))? {
            let bytes = fs::read(file?.path())?;
            found |= bytes
                .windows(text.len())
                .any(|part| part == text.as_bytes());
        }
        Ok(found)
    }

    /// Makes it forget everything.
    pub(super) fn forget(&self) -> Result<(), Failure> {
        let port = self.port.to_string();
        let output = Command::new("redis-cli")
            .args(["-p", &port, "FLUSHALL", "SYNC"])
            .output()?;
        if output.stdout.starts_with(b"OK") {
            Ok(())
        } else {
            Err(format!("FLUSHALL failed: {output:?}").into())
        }
    }
}

fn spawn(place: &Place, port: u16) -> Result<Process, Failure> {
    let child = Command::new("redis-server")
        .args(["--bind", "127.0.0.1", "--save", ""])
        .args(["--appendonly", "yes", "--appendfsync", "always"])
        .args(["--port", &port.to_string(), "--dir"])
        .arg(place.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("redis-server does not start: {error}"))?;
    wait_for_port(port, "redis-server")?;
    Ok(Process(child))
}
