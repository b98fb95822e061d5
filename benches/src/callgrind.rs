//! Instructions per request, counted by callgrind: the figure that a busy machine does not change.
//!
//! Valgrind hides from a program that the processor has instructions for SHA-256, so that it hashes
//! in software. Rows of their own say what is left without that.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::client::{Client, HttpClient};
use crate::http;
use crate::messages::Request;
use crate::options::Options;
use crate::peer::{Peer, Process};
use crate::stdio;
use crate::table::{Row, Table, at_most};

/// How many requests warm the server up, and how many more are counted.
const WARM: u32 = 40;
const COUNTED: u32 = 400;

/// Instructions: all of them, and those of software SHA-256.
#[derive(Clone, Copy)]
struct Counted {
    all: f64,
    hashing: f64,
}

pub(crate) fn measure(_: &Options, peers: &[Peer], table: &mut Table) -> Result<(), Failure> {
    for (transport, count) in [("HTTP", over_http as Count), ("stdio", over_stdio)] {
        for (what, retry) in [("first round", false), ("retry", true)] {
            for peer in peers {
                let few = count(peer, retry, WARM)?;
                let many = count(peer, retry, WARM + COUNTED)?;
                let each = |of: fn(Counted) -> f64| (of(many) - of(few)) / f64::from(COUNTED);
                let (all, hashing) = (each(|count| count.all), each(|count| count.hashing));
                note(table, peer, &format!("{transport} {what}"), all, hashing);
            }
        }
    }
    Ok(())
}

fn note(table: &mut Table, peer: &Peer, what: &str, all: f64, hashing: f64) {
    let mut row = Row::new(format!("{what}: instructions"), "");
    if what.starts_with("HTTP") {
        row = row
            .with(at_most("floor", 1.25))
            .with(at_most("rmcp", 1.0 / 3.0))
            .with(at_most("flymcprust", 0.66));
    }
    table.note(row, peer, all);
    let rest = Row::new(format!("{what}: the same without SHA-256"), "");
    table.note(rest, peer, all - hashing);
}

/// What a server takes from its start to its end, with so many requests between.
type Count = fn(&Peer, bool, u32) -> Result<Counted, Failure>;

fn over_http(peer: &Peer, retry: bool, requests: u32) -> Result<Counted, Failure> {
    let profile = Profile::new();
    let server = peer.http(&profile.valgrind(), &["--single".into()])?;
    let request = http::prepared(&server, retry)?;
    let mut client = HttpClient::new(&server);
    send(&mut client, &request, requests)?;
    drop(client);
    profile.collected(server.process)
}

fn over_stdio(peer: &Peer, retry: bool, requests: u32) -> Result<Counted, Failure> {
    let profile = Profile::new();
    let mut server = peer.stdio(&profile.valgrind(), &["--single".into()])?;
    let request = stdio::prepared(&mut server, retry)?;
    send(&mut server, &request, requests)?;
    let process = server.process;
    drop(server.input);
    profile.collected(process)
}

fn send(client: &mut dyn Client, request: &Request, requests: u32) -> Result<(), Failure> {
    (0..requests).try_for_each(|_| client.ask(request).map(drop))
}

/// The file that callgrind writes; it goes with this value.
struct Profile(PathBuf);

impl Profile {
    fn new() -> Self {
        Self(std::env::temp_dir().join(format!("mrtr-bench-callgrind-{}", std::process::id())))
    }

    fn valgrind(&self) -> Vec<String> {
        let out = format!("--callgrind-out-file={}", self.0.display());
        vec!["valgrind".into(), "--tool=callgrind".into(), out]
    }

    /// Ends the server and reads what callgrind says of it.
    fn collected(&self, mut process: Process) -> Result<Counted, Failure> {
        let child = &mut process.0;
        Command::new("kill").arg(child.id().to_string()).status()?;
        let mut said = String::new();
        if let Some(stderr) = &mut child.stderr {
            stderr.read_to_string(&mut said)?;
        }
        child.wait()?;
        let all = said.lines().find_map(|line| line.split_once("Collected :"));
        let (_, all) = all.ok_or_else(|| format!("callgrind said: {said}"))?;
        Ok(Counted {
            all: all.trim().parse()?,
            hashing: hashing(&self.0)?,
        })
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        // It lies among the temporary files.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The instructions of the one function that hashes, which calls nothing.
fn hashing(profile: &Path) -> Result<f64, Failure> {
    let mut annotate = Command::new("callgrind_annotate");
    let output = annotate
        .arg("--threshold=100")
        .arg("--auto=no")
        .arg(profile)
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    Ok(said.lines().filter_map(hashing_in).sum())
}

/// The count of a line such as ` 1,234 (5.67%)  src/soft.rs:sha2::sha256::soft::compress`.
fn hashing_in(line: &str) -> Option<f64> {
    let (count, name) = line.trim_start().split_once(' ')?;
    let is_it = name.contains("sha2::sha256") && name.contains("::compress");
    let count = count.replace(',', "").parse().ok()?;
    is_it.then_some(count)
}

#[cfg(test)]
mod tests {
    use super::hashing_in;

    #[test]
    fn only_the_function_that_hashes_is_counted() {
        let soft =
            "11,542,139 (13.67%)  sha256/soft/unroll.rs:sha2::sha256::soft::unroll::compress";
        assert_eq!(hashing_in(soft), Some(11_542_139.0));
        for other in [
            "84,458 (100.0%)  PROGRAM TOTALS",
            "",
            "1,0 ( 0.1%)  a.rs:mrtr::compress",
        ] {
            assert_eq!(hashing_in(other), None, "{other}");
        }
    }
}
