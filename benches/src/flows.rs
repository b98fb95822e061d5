//! Whole flows over a pipe: 1, 5 and 20 questions, one a round.

use std::time::Instant;

use crate::Failure;
use crate::check::quiz;
use crate::client::Client;
use crate::messages::{Request, state};
use crate::options::Options;
use crate::peer::{Lines, Peer};
use crate::table::{Row, Table};

const ROUNDS: [u8; 3] = [1, 5, 20];

pub(crate) fn measure(options: &Options, peers: &[Peer], table: &mut Table) -> Result<(), Failure> {
    for _ in 0..options.repeats() {
        for rounds in ROUNDS {
            for peer in peers {
                let mut server = peer.stdio(&[], &[])?;
                quiz(&mut server, rounds)?;
                let micros = one(&mut server, rounds, options)?;
                let row = format!("flow of {rounds} questions: CPU per request");
                table.note(Row::new(row, "µs"), peer, micros);
            }
        }
    }
    for peer in peers {
        let mut server = peer.stdio(&[], &[])?;
        let length = last_state(&mut server)? as f64;
        table.note(
            Row::new("state that carries 19 answers", "chars"),
            peer,
            length,
        );
    }
    Ok(())
}

/// The processor time that a request of such a flow takes.
fn one(server: &mut Lines, rounds: u8, options: &Options) -> Result<f64, Failure> {
    let (start, before) = (Instant::now(), server.process.cpu()?);
    let mut requests = 0.0;
    while start.elapsed() < options.span() {
        quiz(server, rounds)?;
        requests += f64::from(rounds) + 1.0;
    }
    let cpu = server.process.cpu()? - before;
    Ok(cpu.as_secs_f64() * 1e6 / requests)
}

/// How long the state of the last question is.
fn last_state(server: &mut Lines) -> Result<usize, Failure> {
    let rounds = 20;
    let mut answer = server.ask(&Request::quiz(rounds, None))?;
    for number in 0..rounds - 1 {
        let state = state(&answer)?;
        answer = server.ask(&Request::quiz(rounds, Some((number, &state))))?;
    }
    Ok(state(&answer)?.len())
}
