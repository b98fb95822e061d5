//! The load over a pipe: one request after the other, and as many as it holds.

use std::io::{BufRead, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::Failure;
use crate::client::Client;
use crate::messages::{Request, state};
use crate::options::Options;
use crate::peer::{Lines, Peer};
use crate::table::{Row, Table, at_least, at_most};

/// How many lines are written at once, and how many such groups may wait for their answers.
const GROUP: usize = 32;
const GROUPS: usize = 8;

pub(crate) fn measure(options: &Options, peers: &[Peer], table: &mut Table) -> Result<(), Failure> {
    for _ in 0..options.repeats() {
        for (what, retry) in [("first round", false), ("retry", true)] {
            for peer in peers {
                let mut server = peer.stdio(&[], &[])?;
                let request = prepared(&mut server, retry)?;
                let one = ping_pong(&mut server, &request, options.span())?;
                let what_one = format!("stdio {what}, one by one");
                note(table, peer, &what_one, &one, &[]);
                table.note(Row::new(format!("{what_one}: p50"), "µs"), peer, one.p50);
                table.note(Row::new(format!("{what_one}: p99"), "µs"), peer, one.p99);
                let many = pipelined(server, &request, options.span())?;
                let budgets = [("rmcp", 8.0), ("flymcprust", 2.0)];
                note(
                    table,
                    peer,
                    &format!("stdio {what}, pipelined"),
                    &many,
                    &budgets,
                );
            }
        }
    }
    Ok(())
}

/// What a server did.
#[derive(Debug, Default)]
struct Seen {
    rate: f64,
    cpu_micros: f64,
    p50: f64,
    p99: f64,
}

fn note(table: &mut Table, peer: &Peer, what: &str, seen: &Seen, least: &[(&'static str, f64)]) {
    let rate = Row::new(format!("{what}: requests"), "1/s");
    let rate = least
        .iter()
        .fold(rate, |row, (peer, least)| row.with(at_least(peer, *least)));
    table.note(rate, peer, seen.rate);
    let mut cpu = Row::new(format!("{what}: CPU"), "µs");
    if least.is_empty() {
        cpu = cpu.with(at_most("floor", 1.35));
    }
    table.note(cpu, peer, seen.cpu_micros);
}

/// The first round, or its retry with a state of this server.
pub(crate) fn prepared(server: &mut Lines, retry: bool) -> Result<Request, Failure> {
    let answer = server.ask(&Request::first())?;
    if !retry {
        return Ok(Request::first());
    }
    Ok(Request::retry(&state(&answer)?))
}

fn ping_pong(server: &mut Lines, request: &Request, span: Duration) -> Result<Seen, Failure> {
    let line = request.text(1) + "\n";
    let mut answer = Vec::new();
    let mut micros = Vec::new();
    let (start, before) = (Instant::now(), server.process.cpu()?);
    while start.elapsed() < span {
        let sent = Instant::now();
        server.exchange(&line, &mut answer)?;
        micros.push(sent.elapsed().as_secs_f64() * 1e6);
        request.check(&answer)?;
    }
    let took = start.elapsed().as_secs_f64();
    let cpu = (server.process.cpu()? - before).as_secs_f64();
    micros.sort_by(f64::total_cmp);
    let count = micros.len();
    Ok(Seen {
        rate: count as f64 / took,
        cpu_micros: cpu * 1e6 / count as f64,
        p50: micros[count / 2],
        p99: micros[count * 99 / 100],
    })
}

/// Writes groups of lines while the answers of the ones before are still being read.
fn pipelined(server: Lines, request: &Request, span: Duration) -> Result<Seen, Failure> {
    let Lines {
        process,
        mut input,
        mut output,
    } = server;
    let before = process.cpu()?;
    let (sent, groups) = mpsc::sync_channel::<()>(GROUPS);
    let start = Instant::now();
    // An id may come again when its request is answered, which is long before its group's turn.
    let texts: Vec<String> = (0..2 * GROUPS)
        .map(|group| {
            (0..GROUP)
                .map(|line| request.text((group * GROUP + line) as u64) + "\n")
                .collect()
        })
        .collect();
    let writing = std::thread::spawn(move || -> std::io::Result<()> {
        for text in texts.iter().cycle() {
            if start.elapsed() >= span || sent.send(()).is_err() {
                break;
            }
            input.write_all(text.as_bytes())?;
        }
        Ok(())
    });
    let mut count = 0.0;
    let mut answer = Vec::new();
    // A group is let in when another was answered; the last ones are answered, too.
    loop {
        for _ in 0..GROUP {
            answer.clear();
            if output.read_until(b'\n', &mut answer)? == 0 {
                return Err("the server closed its output".into());
            }
            request.check(&answer)?;
            count += 1.0;
        }
        if groups.recv().is_err() {
            break;
        }
        if start.elapsed() >= span {
            break;
        }
    }
    let took = start.elapsed().as_secs_f64();
    let cpu = (process.cpu()? - before).as_secs_f64();
    drop(groups);
    drop(output);
    // The server may be gone before the writer sees the end.
    let _ = writing.join();
    Ok(Seen {
        rate: count / took,
        cpu_micros: cpu * 1e6 / count,
        ..Seen::default()
    })
}
