//! Plays all cases of one line of the matrix over one connection.

use std::fs;

use super::case::{Case, Expected};
use super::cases::CASES;
use super::drive::Driver;
use super::lane::Lane;
use super::score::{Score, Verdict};
use super::server::Server;
use super::transcript::{Seen, Transcript};
use super::verdict::judge;
use crate::Failure;
use crate::process::target;

/// What is counted beside the cases.
const AROUND: &str = "connecting, listing and leaving";

/// A client that has connected, and its server.
struct Connection<'a> {
    lane: Lane<'a>,
    driver: Driver,
    transcript: Transcript,
    /// Stopped after the client.
    _server: Server,
}

/// Plays every case and says how each went.
pub(crate) fn play(lane: Lane<'_>) -> Score {
    let mut score = Score::default();
    if let Some(why) = lane.impossible() {
        score.add(&lane.to_string(), Verdict::NotRun(why), CASES.len() + 1);
        return score;
    }
    let mut connection = match Connection::open(lane) {
        Ok(connection) => connection,
        Err(why) => {
            score.add(&lane.to_string(), Verdict::Failed(why), CASES.len() + 1);
            return score;
        }
    };
    for case in CASES {
        let verdict = connection.play(case);
        score.add(&format!("{lane}: {}", case.name), verdict, 1);
    }
    let left = connection.leave();
    let verdict = left.map_or_else(Verdict::Failed, |()| Verdict::Played);
    score.add(&format!("{lane}: {AROUND}"), verdict, 1);
    score
}

impl<'a> Connection<'a> {
    /// Starts server and client; the client reads all lists.
    fn open(lane: Lane<'a>) -> Result<Self, Failure> {
        let files = target().join("clients").join("runs");
        fs::create_dir_all(&files)?;
        let file = |kind: &str| files.join(format!("{}.{kind}", lane.file_name()));
        let server = Server::start(lane.transport, &file("log"))?;
        let mut driver = Driver::start(lane, server.place.clone(), file("stderr"))?;
        let mut transcript = Transcript::of(lane.transport, file("log"))?;
        let revision = driver.connected()?;
        if revision != lane.revision().name() {
            return Err(format!("client and server agreed on {revision}").into());
        }
        // At least one message for each of four lists.
        faultless(&transcript.read()?, 4)?;
        Ok(Self {
            lane,
            driver,
            transcript,
            _server: server,
        })
    }

    fn play(&mut self, case: &Case) -> Verdict {
        match case.expected(self.lane.revision()) {
            Err(why) => Verdict::NotRun(why.to_owned()),
            Ok(expected) => match (self.held(case, &expected), expected) {
                (Err(why), _) => Verdict::Failed(why),
                (Ok(()), Expected::End) => Verdict::Played,
                (Ok(()), Expected::Refusal(_)) => Verdict::Refused,
            },
        }
    }

    /// Plays a case and holds it against what is expected.
    fn held(&mut self, case: &Case, expected: &Expected) -> Result<(), Failure> {
        let run = self.driver.play(case)?;
        let seen = self.transcript.read()?;
        // At least the response.
        faultless(&seen, 1)?;
        judge(case, expected, self.lane.revision(), &run, &seen)
    }

    fn leave(mut self) -> Result<(), Failure> {
        self.driver.leave()?;
        let mut seen = self.transcript.read()?;
        seen.faults.extend(self.transcript.unanswered());
        faultless(&seen, 0)
    }
}

/// Fails if the judge found fault with a message, or if fewer came than must have.
fn faultless(seen: &Seen, least: usize) -> Result<(), Failure> {
    if !seen.faults.is_empty() {
        let faults = seen.faults.join("\n  ");
        return Err(format!("the server's messages are wrong:\n  {faults}").into());
    }
    if seen.messages < least {
        return Err(format!("only {} messages were recorded", seen.messages).into());
    }
    Ok(())
}
