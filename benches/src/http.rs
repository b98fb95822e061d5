//! The load over HTTP: requests a second, times, processor time and memory.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use crate::Failure;
use crate::client::{Client, HttpClient};
use crate::messages::{Request, state};
use crate::options::Options;
use crate::peer::{Http, Peer};
use crate::table::{Row, Table, at_least, at_most};

/// Where the load generator runs.
const LOAD_CORE: &str = "1";

const CONNECTIONS: [u32; 3] = [1, 16, 64];

/// What wrk tells at its end.
#[derive(Debug, Deserialize)]
pub(crate) struct Load {
    requests: f64,
    micros: f64,
    wrong: f64,
    p50: f64,
    p99: f64,
}

/// What a server did under a load.
pub(crate) struct Seen {
    pub(crate) rate: f64,
    pub(crate) cpu_micros: f64,
    load: Load,
}

pub(crate) fn measure(options: &Options, peers: &[Peer], table: &mut Table) -> Result<(), Failure> {
    let servers = start(peers, &[])?;
    for _ in 0..options.repeats() {
        for (what, retry) in [("first round", false), ("retry", true)] {
            for connections in CONNECTIONS {
                for (peer, server) in peers.iter().zip(&servers) {
                    let request = prepared(server, retry)?;
                    let seen = run(server, &request, connections, options.span())?;
                    note(
                        table,
                        peer,
                        &format!("HTTP {what}, {connections} conn."),
                        connections,
                        &seen,
                    );
                }
            }
        }
    }
    for (peer, server) in peers.iter().zip(&servers) {
        let peak = server.process.peak()?;
        table.note(
            Row::new("peak memory after the load over HTTP", "MB"),
            peer,
            peak,
        );
        sizes(table, peer, server)?;
    }
    Ok(())
}

/// Starts one server of each peer; those that are not measured just now only wait.
pub(crate) fn start(peers: &[Peer], args: &[String]) -> Result<Vec<Http>, Failure> {
    peers.iter().map(|peer| peer.http(&[], args)).collect()
}

fn note(table: &mut Table, peer: &Peer, what: &str, connections: u32, seen: &Seen) {
    let mut rate = Row::new(format!("{what}: requests"), "1/s");
    if connections == 16 {
        rate = rate
            .with(at_least("floor", 0.75))
            .with(at_least("rmcp", 2.5))
            .with(at_least("flymcprust", 1.0));
    }
    table.note(rate, peer, seen.rate);
    let cpu = Row::new(format!("{what}: CPU"), "µs").with(at_most("floor", 1.35));
    table.note(cpu, peer, seen.cpu_micros);
    table.note(Row::new(format!("{what}: p50"), "µs"), peer, seen.load.p50);
    table.note(Row::new(format!("{what}: p99"), "µs"), peer, seen.load.p99);
}

/// How long states and responses are.
fn sizes(table: &mut Table, peer: &Peer, server: &Http) -> Result<(), Failure> {
    let mut client = HttpClient::new(server);
    let first = client.ask(&Request::first())?;
    let state = state(&first)?;
    let retry = client.ask(&Request::retry(&state))?;
    let rows = [
        ("state of a one-question flow", state.len()),
        ("response of the first round", first.len()),
        ("response of the retry", retry.len()),
    ];
    for (what, length) in rows {
        table.note(Row::new(what, "chars"), peer, length as f64);
    }
    Ok(())
}

/// The first round, or its retry with a state of this server.
pub(crate) fn prepared(server: &Http, retry: bool) -> Result<Request, Failure> {
    let answer = HttpClient::new(server).ask(&Request::first())?;
    if !retry {
        return Ok(Request::first());
    }
    let request = Request::retry(&state(&answer)?);
    HttpClient::new(server).ask(&request)?;
    Ok(request)
}

/// Sends one request over and over.
pub(crate) fn run(
    server: &Http,
    request: &Request,
    connections: u32,
    span: Duration,
) -> Result<Seen, Failure> {
    let script = std::env::temp_dir().join(format!("mrtr-bench-{}.lua", server.port));
    std::fs::write(&script, lua(request))?;
    let before = server.process.cpu()?;
    let load = wrk(server, &script, connections, span);
    let after = server.process.cpu()?;
    std::fs::remove_file(&script)?;
    let load = load?;
    if load.wrong > 0.0 || load.requests == 0.0 {
        return Err(format!("{} of {} requests failed", load.wrong, load.requests).into());
    }
    // The server still gives the right answer.
    HttpClient::new(server).ask(request)?;
    Ok(Seen {
        rate: load.requests / load.micros * 1e6,
        cpu_micros: (after - before).as_secs_f64() * 1e6 / load.requests,
        load,
    })
}

fn wrk(server: &Http, script: &Path, connections: u32, span: Duration) -> Result<Load, Failure> {
    // wrk counts in whole seconds.
    let seconds = span.as_secs().max(1);
    let output = Command::new("taskset")
        .args(["-c", LOAD_CORE, "wrk", "--threads", "1", "--latency"])
        .args(["--connections", &connections.to_string()])
        .args(["--duration", &format!("{seconds}s"), "--script"])
        .arg(script)
        .arg(format!("http://127.0.0.1:{}/mcp", server.port))
        .output()
        .map_err(|error| format!("wrk does not start; it is in the package `wrk`: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let json = said.lines().find(|line| line.starts_with('{'));
    let json = json.ok_or_else(|| {
        format!(
            "wrk said: {said}{}",
            String::from_utf8_lossy(&output.stderr)
        )
    })?;
    Ok(serde_json::from_str(json)?)
}

/// A script for wrk that sends the request and tells of the run as JSON.
fn lua(request: &Request) -> String {
    let headers: String = request
        .headers()
        .iter()
        .map(|(name, value)| format!("wrk.headers[\"{name}\"] = \"{value}\"\n"))
        .collect();
    let body = request.text(1);
    format!(
        r#"wrk.method = "POST"
wrk.body = [==[{body}]==]
{headers}
function done(summary, latency)
  local errors = summary.errors
  local wrong = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format('{{"requests":%d,"micros":%d,"wrong":%d,"p50":%d,"p99":%d}}',
    summary.requests, summary.duration, wrong, latency:percentile(50), latency:percentile(99)))
end
"#
    )
}
