//! A client at work: it is given one case after another and says what happens.

use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::case::Case;
use super::lane::{Lane, Negotiation};
use crate::Failure;

/// How long a client may be silent; one that says nothing hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client that runs. It is stopped when dropped.
pub(crate) struct Driver {
    child: Child,
    /// `None` once it has been told to leave.
    cases: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Where it and its server write what is not for us.
    stderr: PathBuf,
}

/// What happened in one case.
pub(crate) struct Run {
    pub(crate) asked: Vec<Asked>,
    pub(crate) outcome: Outcome,
}

/// One question that reached the client's own handler.
#[derive(Deserialize)]
pub(crate) struct Asked {
    /// The ask's key at 2026-07-28, the id of the server's request before.
    pub(crate) key: String,
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// What the client's call came to.
pub(crate) enum Outcome {
    Result(Value),
    Error(RpcError),
}

/// An error of the protocol, as the client's call raised it.
#[derive(Deserialize)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: String,
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {}", self.key, self.method, self.params)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Result(result) => write!(f, "{result}"),
            Self::Error(error) => write!(f, "error {}: {}", error.code, error.message),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Line {
    Connected { revision: String },
    Asked(Asked),
    Result(Value),
    Error(RpcError),
    Failure(String),
}

impl Driver {
    /// Starts the client of a lane; `place` says where the server is.
    ///
    /// # Errors
    /// When it does not start.
    pub(crate) fn start(
        lane: Lane<'_>,
        mut place: Value,
        stderr: PathBuf,
    ) -> Result<Self, Failure> {
        place["revision"] = json!(lane.revision().name());
        place["mode"] = json!(match lane.negotiation {
            Negotiation::Pinned => "pin",
            Negotiation::Automatic => "auto",
            Negotiation::Legacy(_) => "legacy",
        });
        let mut child = Command::new(&lane.client.program)
            .arg(&lane.client.driver)
            .arg(place.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(&stderr)?)
            .spawn()?;
        let cases = child.stdin.take();
        let printed = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let (sender, lines) = channel();
        // A thread of its own, because only a channel can be waited for with a limit.
        thread::spawn(move || {
            let lines = printed.lines().map_while(Result::ok);
            lines.map(|line| sender.send(line)).all(|sent| sent.is_ok())
        });
        Ok(Self {
            child,
            cases,
            lines,
            stderr,
        })
    }

    /// Waits until it has connected; gives back the revision that it speaks.
    ///
    /// # Errors
    /// When it cannot connect.
    pub(crate) fn connected(&mut self) -> Result<String, Failure> {
        match self.line()? {
            Line::Connected { revision } => Ok(revision),
            _ => Err("the client says something before it has connected".into()),
        }
    }

    /// Plays a case to its end.
    ///
    /// # Errors
    /// When the client itself fails.
    pub(crate) fn play(&mut self, case: &Case) -> Result<Run, Failure> {
        let cases = self.cases.as_mut().expect("it has not been told to leave");
        writeln!(cases, "{}", case.to_json())?;
        let mut asked = Vec::new();
        let outcome = loop {
            match self.line()? {
                Line::Asked(question) => asked.push(question),
                Line::Result(result) => break Outcome::Result(result),
                Line::Error(error) => break Outcome::Error(error),
                Line::Connected { .. } | Line::Failure(_) => {
                    return Err("the client says what it should not here".into());
                }
            }
        };
        Ok(Run { asked, outcome })
    }

    /// Lets it close its connection and end.
    ///
    /// # Errors
    /// When it says more, fails, or does not end.
    pub(crate) fn leave(mut self) -> Result<(), Failure> {
        // The end of its input is what it waits for.
        self.cases = None;
        match self.lines.recv_timeout(PATIENCE) {
            Err(RecvTimeoutError::Disconnected) => {}
            Err(RecvTimeoutError::Timeout) => return Err(self.failure("the client does not end")),
            Ok(line) => return Err(self.failure(&line)),
        }
        let status = self.child.wait()?;
        match status.success() {
            true => Ok(()),
            false => Err(self.failure(&format!("the client ended with {status}"))),
        }
    }

    fn line(&mut self) -> Result<Line, Failure> {
        let line = self.lines.recv_timeout(PATIENCE).map_err(|_| {
            // One that hangs would hang in every case that follows.
            let _ = self.child.kill();
            self.failure("the client hangs or has ended")
        })?;
        match serde_json::from_str(&line) {
            Ok(Line::Failure(why)) => Err(self.failure(&why)),
            Ok(line) => Ok(line),
            Err(error) => Err(self.failure(&format!("{error} in {line}"))),
        }
    }

    fn failure(&self, why: &str) -> Failure {
        let stderr = fs::read_to_string(&self.stderr).unwrap_or_default();
        format!("{why}\n{stderr}").into()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It has ended by itself unless something went wrong.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
