//! How often client and server agreed, and the matrix that says so.

use super::lane::Lane;
use crate::Failure;

/// The counts of one line of the matrix.
#[derive(Default)]
pub(crate) struct Score {
    /// Played to the end that the case has.
    pub(crate) played: usize,
    /// Refused with an error that names what the revision does not have.
    pub(crate) refused: usize,
    pub(crate) not_run: usize,
    pub(crate) failed: usize,
}

/// How a case went.
pub(crate) enum Verdict {
    Played,
    Refused,
    NotRun(String),
    Failed(Failure),
}

impl Score {
    /// Prints how it went and counts it.
    pub(crate) fn add(&mut self, name: &str, verdict: Verdict, cases: usize) {
        match verdict {
            Verdict::Played => {
                self.played += cases;
                println!("ok      {name}");
            }
            Verdict::Refused => {
                self.refused += cases;
                println!("ok      {name}: refused");
            }
            Verdict::NotRun(why) => {
                self.not_run += cases;
                println!("not run {name}: {why}");
            }
            Verdict::Failed(why) => {
                self.failed += cases;
                println!("FAILED  {name}\n{why}\n");
            }
        }
    }
}

/// Prints the matrix as a table, and the counts in one line.
pub(crate) fn print(scores: &[(Lane<'_>, Score)]) {
    println!("\n| client | transport | negotiation | played | refused | not run | failed |");
    println!("|---|---|---|---:|---:|---:|---:|");
    for (lane, score) in scores {
        let Lane {
            client,
            transport,
            negotiation,
        } = lane;
        let Score {
            played,
            refused,
            not_run,
            failed,
        } = score;
        let client = client.name;
        println!(
            "| {client} | {transport} | {negotiation} | {played} | {refused} | {not_run} | {failed} |"
        );
    }
    let sum = |count: fn(&Score) -> usize| -> usize {
        scores.iter().map(|(_, score)| count(score)).sum()
    };
    println!(
        "\nrefused: the revision cannot ask it, and the error says so; not run: the client cannot"
    );
    println!(
        "{} passed, {} failed, {} not run",
        sum(|score| score.played + score.refused),
        sum(|score| score.failed),
        sum(|score| score.not_run)
    );
}
