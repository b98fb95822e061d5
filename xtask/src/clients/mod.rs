//! Real clients against a server with every kind of question: each client, each transport, each way
//! to agree on a revision, each case.

mod case;
mod cases;
mod drive;
mod exchange;
mod install;
mod lane;
mod play;
mod score;
mod server;
mod transcript;
mod verdict;

use crate::Failure;
use crate::process::{cargo, run as run_command};

use lane::Lane;

/// Installs the clients, builds the server and plays every case; prints the matrix, and a last
/// line that counts.
pub(crate) fn run() -> Result<(), Failure> {
    run_command(&mut cargo(&["build", "--package", "mrtr-clients"]))?;
    let clients = [install::typescript()?, install::python()?];
    let lanes = clients.iter().flat_map(Lane::all);
    let scores: Vec<_> = lanes.map(|lane| (lane, play::play(lane))).collect();
    score::print(&scores);
    let failed: usize = scores.iter().map(|(_, score)| score.failed).sum();
    match failed {
        0 => Ok(()),
        _ => Err("a client and the server do not agree".into()),
    }
}
