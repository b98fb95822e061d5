//! One instance of the cash desk: started, held, let go, killed.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::Failure;
use crate::process::target;

use super::client::Client;
use super::place::{Process, free_port};

/// The keys of a run, oldest first.
pub(super) const KEYS: [&str; 2] = [
    "hex:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    "hex:f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f",
];

/// What an instance is told.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) redis: Option<String>,
    pub(super) ledger: PathBuf,
    pub(super) keys: String,
    pub(super) hold_at: Option<&'static str>,
    pub(super) records: Option<usize>,
}

impl Settings {
    /// An instance with this store, which writes to this ledger.
    pub(super) fn new(redis: impl Into<String>, ledger: &Path) -> Self {
        Self {
            redis: Some(redis.into()),
            ledger: ledger.into(),
            keys: KEYS[0].into(),
            hold_at: None,
            records: None,
        }
    }

    /// The same, held at a point of its commits.
    pub(super) fn held_at(&self, point: &'static str) -> Self {
        Self {
            hold_at: Some(point),
            ..self.clone()
        }
    }

    /// The same with these keys.
    pub(super) fn with_keys(&self, keys: &[&str]) -> Self {
        Self {
            keys: keys.join(","),
            ..self.clone()
        }
    }
}

/// A running instance.
pub(super) struct Instance {
    process: Process,
    port: u16,
    held: Receiver<()>,
}

impl Instance {
    /// Starts one on a free port.
    pub(super) fn start(settings: &Settings) -> Result<Self, Failure> {
        Self::start_at(free_port()?, settings)
    }

    /// Starts one on this port and waits until it listens.
    pub(super) fn start_at(port: u16, settings: &Settings) -> Result<Self, Failure> {
        let mut child = command(port, settings).spawn()?;
        let (listening, held) = watch(&mut child);
        let process = Process(child);
        listening
            .recv_timeout(Duration::from_secs(20))
            .map_err(|_| format!("an instance does not listen on port {port}"))?;
        Ok(Self {
            process,
            port,
            held,
        })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// A client that talks to this instance and no other.
    pub(super) fn client(&self) -> Client {
        Client::of(self.port)
    }

    /// Waits until it holds at its point.
    pub(super) fn wait_until_held(&self) -> Result<(), Failure> {
        self.held
            .recv_timeout(Duration::from_secs(20))
            .map_err(|_| "the instance never came to the point where it was to hold".into())
    }

    /// Lets it go on from its point.
    pub(super) fn let_go(&mut self) -> Result<(), Failure> {
        let stdin = self.process.0.stdin.as_mut();
        let stdin = stdin.ok_or("the instance has no stdin")?;
        stdin.write_all(b"\n")?;
        Ok(stdin.flush()?)
    }

    /// Kills it on the spot.
    pub(super) fn kill(&mut self) {
        self.process.kill();
    }

    /// Sends it a signal, by its short name.
    pub(super) fn signal(&self, name: &str) -> Result<(), Failure> {
        self.process.signal(name)
    }

    /// Asks it to end, as an orchestrator does.
    pub(super) fn terminate(&self) -> Result<(), Failure> {
        self.signal("TERM")
    }

    /// Waits until it has ended by itself.
    pub(super) fn wait(&mut self) -> Result<(), Failure> {
        self.process.wait()
    }
}

fn command(port: u16, settings: &Settings) -> Command {
    let mut command = Command::new(binary());
    command
        .args(["--http", &format!("127.0.0.1:{port}")])
        .env_remove("REDIS_URL")
        .env("MRTR_KEYS", &settings.keys)
        .env("LEDGER", &settings.ledger)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(redis) = &settings.redis {
        command.env("REDIS_URL", redis);
    }
    if let Some(point) = settings.hold_at {
        command.env("HOLD_AT", point);
    }
    if let Some(records) = settings.records {
        command.env("RECORDS", records.to_string());
    }
    command
}

/// The instance's program.
fn binary() -> PathBuf {
    let name = format!("mrtr-scale-out{}", std::env::consts::EXE_SUFFIX);
    target().join("debug").join(name)
}

/// Reads its stderr to the end: when it listens, and each time it holds.
fn watch(child: &mut Child) -> (Receiver<()>, Receiver<()>) {
    let stderr = child.stderr.take().expect("stderr is piped");
    let ((say_listening, listening), (say_held, held)) = (channel(), channel());
    thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            // Whoever asked may have gone; the pipe must be emptied all the same.
            let _ = match line.as_str() {
                "held" => say_held.send(()),
                line if line.starts_with("listening on ") => say_listening.send(()),
                line => {
                    eprintln!("instance: {line}");
                    Ok(())
                }
            };
        }
    });
    (listening, held)
}
