//! The servers that are compared, and one of them at work.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Failure, processor};

/// Where the servers run; this program and the load run on another core.
const SERVER_CORE: &str = "0";

/// How long a server may take to start; under callgrind that is a while.
const START: Duration = Duration::from_secs(60);

/// A server that is compared with the others.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    binary: PathBuf,
}

/// The names, in the order of the table's columns.
pub(crate) const PEERS: [&str; 4] = ["mrtr", "floor", "rmcp", "flymcprust"];

impl Peer {
    pub(crate) fn all(bins: &Path) -> Vec<Self> {
        let peer = |name| Self {
            name,
            binary: bins.join(format!("bench-{name}")),
        };
        PEERS.map(peer).into()
    }

    /// Whether it is the floor, which is made for the tools of the benchmark alone.
    pub(crate) fn is_floor(&self) -> bool {
        self.name == "floor"
    }

    /// The command that starts the server on its own core; `wrapper` runs it.
    fn command(&self, wrapper: &[String], args: &[String]) -> Command {
        let mut command = Command::new("taskset");
        command.args(["-c", SERVER_CORE]).args(wrapper);
        command.arg(&self.binary).args(args);
        command
    }

    /// Starts the server over HTTP.
    pub(crate) fn http(&self, wrapper: &[String], args: &[String]) -> Result<Http, Failure> {
        let port = free_port()?;
        let mut all = vec!["--http".to_owned(), port.to_string()];
        all.extend_from_slice(args);
        let mut command = self.command(wrapper, &all);
        let child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn();
        let process = Process(child.map_err(|error| self.not_started(&error))?);
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if start.elapsed() > START {
                return Err(format!("{} does not listen", self.name).into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(Http { process, port })
    }

    /// Starts the server over stdio.
    pub(crate) fn stdio(&self, wrapper: &[String], args: &[String]) -> Result<Lines, Failure> {
        let mut command = self.command(wrapper, args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let child = command.stderr(Stdio::piped()).spawn();
        let mut process = Process(child.map_err(|error| self.not_started(&error))?);
        let input = process.0.stdin.take().ok_or("no stdin")?;
        let output = process.0.stdout.take().ok_or("no stdout")?;
        Ok(Lines {
            process,
            input,
            output: BufReader::with_capacity(1 << 16, output),
        })
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        format!("{} does not start (is taskset there?): {error}", self.name).into()
    }
}

/// A port that nobody uses now.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// A server that runs; it ends with this value. What it writes to stderr, a line or two, waits in
/// the pipe.
#[derive(Debug)]
pub(crate) struct Process(pub(crate) Child);

impl Process {
    /// The processor time the server has taken so far.
    pub(crate) fn cpu(&self) -> Result<Duration, Failure> {
        // What threads took that have ended is in it, too.
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id()))?;
        processor::time(&stat, processor::OWN)
    }

    /// The most memory it ever had, in MB.
    pub(crate) fn peak(&self) -> Result<f64, Failure> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.0.id()))?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kb = line.and_then(|rest| rest.trim().strip_suffix(" kB"));
        Ok(kb.ok_or("no VmHWM")?.trim().parse::<f64>()? / 1024.0)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server that listens.
#[derive(Debug)]
pub(crate) struct Http {
    pub(crate) process: Process,
    pub(crate) port: u16,
}

/// A server at the other end of a pipe.
#[derive(Debug)]
pub(crate) struct Lines {
    pub(crate) process: Process,
    pub(crate) input: ChildStdin,
    pub(crate) output: BufReader<ChildStdout>,
}

impl Lines {
    /// Sends one line and waits for one.
    pub(crate) fn exchange(&mut self, line: &str, answer: &mut Vec<u8>) -> Result<(), Failure> {
        self.input.write_all(line.as_bytes())?;
        answer.clear();
        if self.output.read_until(b'\n', answer)? == 0 {
            return Err("the server closed its output".into());
        }
        Ok(())
    }
}
