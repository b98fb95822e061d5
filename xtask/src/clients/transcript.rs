//! The raw messages between a client and the server, in order, and what the judge says of them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

use mrtr_wire::Judge;
use serde_json::Value;

use super::exchange::{Exchange, Line, Part};
use super::lane::Transport;
use crate::Failure;

/// The file that a server's messages are written into, read as it grows.
pub(crate) struct Transcript {
    file: File,
    transport: Transport,
    /// How much of the file has been read.
    read: u64,
    exchanges: HashMap<u64, Exchange>,
    judge: Judge,
    seen: Seen,
}

/// What the server has sent.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) messages: usize,
    /// Results with questions.
    pub(crate) rounds: usize,
    /// Requests of the server's own.
    pub(crate) questions: usize,
    pub(crate) faults: Vec<String>,
}

impl Transcript {
    /// That of a server which writes into this file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn of(transport: Transport, file: PathBuf) -> Result<Self, Failure> {
        Ok(Self {
            file: File::open(file)?,
            transport,
            read: 0,
            exchanges: HashMap::new(),
            judge: Judge::new(),
            seen: Seen::default(),
        })
    }

    /// What has been sent since it was read last.
    ///
    /// # Errors
    /// When the file cannot be read, or holds what no server's layer writes.
    pub(crate) fn read(&mut self) -> Result<Seen, Failure> {
        let mut text = String::new();
        self.file.seek(SeekFrom::Start(self.read))?;
        self.file.read_to_string(&mut text)?;
        for line in text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'))
        {
            self.read += line.len() as u64;
            match self.transport {
                Transport::Stdio => self.stdio(line.trim_end_matches('\n')),
                Transport::Http => self.http(line)?,
            }
        }
        Ok(std::mem::take(&mut self.seen))
    }

    /// The requests of either side that were never answered.
    pub(crate) fn unanswered(&self) -> Vec<String> {
        let ids = self.judge.unanswered().into_iter();
        ids.map(|id| format!("the request {id} was never answered"))
            .collect()
    }

    /// A line that `tee` wrote.
    fn stdio(&mut self, line: &str) {
        match line.split_at_checked(1) {
            Some((">", sent)) => self.judge.sent(sent),
            Some(("<", received)) => self.received(received),
            _ => {
                let fault = format!("a line that is no message: {line}");
                self.seen.faults.push(fault);
            }
        }
    }

    fn http(&mut self, line: &str) -> Result<(), Failure> {
        let Line { exchange, part } = serde_json::from_str(line)?;
        if let Part::Request { method, sent } = part {
            self.judge.sent(&sent);
            self.exchanges.insert(exchange, Exchange::new(method));
            return Ok(());
        }
        let known = self.exchanges.get_mut(&exchange);
        let known = known.ok_or("a response without a request")?;
        match part {
            Part::Head {
                status,
                content_type,
            } => {
                let fault = known.head(status, content_type.as_deref());
                self.seen.faults.extend(fault);
            }
            Part::Body { received } => {
                for message in known.messages(&received) {
                    self.received(&message);
                }
            }
            Part::Request { .. } => {}
        }
        Ok(())
    }

    fn received(&mut self, text: &str) {
        self.seen.messages += 1;
        let message: Value = serde_json::from_str(text).unwrap_or_default();
        if message["result"]["resultType"] == "input_required" {
            self.seen.rounds += 1;
        }
        if message.get("method").is_some() && message.get("id").is_some() {
            self.seen.questions += 1;
        }
        for fault in self.judge.received(text) {
            self.seen.faults.push(format!("{fault}\n    in {text}"));
        }
    }
}
