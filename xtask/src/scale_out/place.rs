//! A directory, free ports and child processes, all gone when the run ends.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Failure;

/// A directory of a run.
pub(super) struct Place(PathBuf);

impl Place {
    /// A new one.
    pub(super) fn new(name: &str) -> Result<Self, Failure> {
        let name = format!("mrtr-scale-out-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What is left in the directory for temporary files does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A process that ends with the value.
pub(super) struct Process(pub(super) Child);

impl Process {
    /// Kills it on the spot, as `kill -9` does.
    pub(super) fn kill(&mut self) {
        // It may have ended by itself, which is what is wanted.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Sends it a signal, by its short name.
    pub(super) fn signal(&self, name: &str) -> Result<(), Failure> {
        let pid = self.0.id().to_string();
        let status = Command::new("kill").args(["-s", name, &pid]).status()?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("`kill -s {name} {pid}` failed: {status}").into())
        }
    }

    /// Waits until it has ended by itself.
    pub(super) fn wait(&mut self) -> Result<(), Failure> {
        self.0.wait()?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Where ports are looked for: below those that the system gives to outgoing connections, of which
/// a run makes thousands, so that none of them takes the port between the look and its use.
const PORTS: std::ops::Range<u16> = 20_000..32_000;

/// A port that is free now, and that no earlier look gave away.
pub(super) fn free_port() -> Result<u16, Failure> {
    static LOOKS: AtomicU16 = AtomicU16::new(0);
    let start = std::process::id() % u32::from(PORTS.end - PORTS.start);
    for _ in PORTS {
        let step = LOOKS.fetch_add(1, Ordering::Relaxed);
        let place = (start + u32::from(step)) % u32::from(PORTS.end - PORTS.start);
        let port = PORTS.start + u16::try_from(place)?;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return Ok(port);
        }
    }
    Err("no port is free for an instance".into())
}

/// Waits until somebody listens at this port of this machine.
pub(super) fn wait_for_port(port: u16, who: &str) -> Result<(), Failure> {
    let give_up = Instant::now() + Duration::from_secs(20);
    while Instant::now() < give_up {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Ok(());
        }
        sleep(Duration::from_millis(20));
    }
    Err(format!("{who} does not listen on port {port}").into())
}
