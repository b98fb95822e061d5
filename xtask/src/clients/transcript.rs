//! The raw messages of one run, in order, and what the judge says of them.

use mrtr_wire::Judge;
use serde::Deserialize;

/// One HTTP request with its response.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Exchange {
    sent: String,
    status: u16,
    content_type: Option<String>,
    received: String,
}

/// The faults found in one conversation.
#[derive(Default)]
pub(crate) struct Transcript {
    judge: Judge,
    messages: usize,
    faults: Vec<String>,
}

impl Transcript {
    /// How many messages the server sent.
    pub(crate) fn messages(&self) -> usize {
        self.messages
    }

    /// What is wrong with the server's messages.
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut faults = self.faults.clone();
        for id in self.judge.unanswered() {
            faults.push(format!("the request {id} was never answered"));
        }
        faults
    }

    /// Adds an HTTP exchange: a JSON body, an event stream or nothing.
    pub(crate) fn add_exchange(&mut self, exchange: &Exchange) {
        self.judge.sent(&exchange.sent);
        match exchange.content_type.as_deref() {
            Some(kind) if kind.starts_with("text/event-stream") => {
                for event in exchange.received.split("\n\n") {
                    let data: Vec<&str> = event
                        .lines()
                        .filter_map(|line| line.strip_prefix("data:"))
                        .collect();
                    if !data.is_empty() {
                        self.received(data.join("\n").trim());
                    }
                }
            }
            Some(kind) if kind.starts_with("application/json") => self.received(&exchange.received),
            _ if exchange.status == 202 && exchange.received.is_empty() => {}
            kind => self
                .faults
                .push(format!("HTTP {} with {kind:?}", exchange.status)),
        }
    }

    /// Adds the lines that `tee` wrote.
    pub(crate) fn add_stdio_log(&mut self, log: &str) {
        for line in log.lines() {
            match line.split_at_checked(1) {
                Some((">", sent)) => self.judge.sent(sent),
                Some(("<", received)) => self.received(received),
                _ => self
                    .faults
                    .push(format!("a line that is no message: {line}")),
            }
        }
    }

    fn received(&mut self, text: &str) {
        self.messages += 1;
        for fault in self.judge.received(text) {
            self.faults.push(format!("{fault}\n    in {text}"));
        }
    }
}
