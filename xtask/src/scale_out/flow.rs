//! One flow of three rounds through the balancer, the last of them sent one to five times at once.

use std::thread::scope;
use std::time::Duration;

use serde_json::json;

use crate::Failure;

use super::client::{Client, Request, Told, accept, no, yes};

/// How long a client waits for the last round before it gives up for now.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long it tries to get through the rounds that only ask.
const ASKING: Duration = Duration::from_secs(60);

/// A flow as its client saw it.
pub(super) struct Flow {
    pub(super) ticket: u64,
    pub(super) agrees: bool,
    /// The last round, for those who send it again.
    pub(super) last: Request,
    /// What the requests of the last round were told, and its repeats.
    pub(super) told: Vec<Told>,
    /// How many rounds reached another instance than the one before, and how many there were.
    pub(super) moved: (usize, usize),
}

impl Flow {
    /// Plays one. Every tenth user says no.
    pub(super) fn play(client: &Client, ticket: u64) -> Result<Self, Failure> {
        let agrees = !ticket.is_multiple_of(10);
        let first = Request::first(ticket);
        let asked = client.insist(&first, ASKING);
        let who = json!({ "value": payer(ticket) });
        let second = follow(&first, &asked.told, "who", &accept(&who), &asked.from)?;
        let confirm = client.insist(&second, ASKING);
        let answer = if agrees { yes() } else { no() };
        let last = follow(&second, &confirm.told, "ok", &answer, &confirm.from)?;
        let replies = scope(|threads| {
            let sent: Vec<_> = (0..=ticket % 5)
                .map(|_| threads.spawn(|| client.send(&last, PATIENCE)))
                .collect();
            sent.into_iter()
                .map(|sent| sent.join().expect("a client does not panic"))
                .collect::<Vec<_>>()
        });
        let pairs = [(&asked.from, &confirm.from)];
        let finals = replies.iter().map(|reply| (&confirm.from, &reply.from));
        let known = |(one, other): &(&String, &String)| !one.is_empty() && !other.is_empty();
        let rounds: Vec<_> = pairs.into_iter().chain(finals).filter(known).collect();
        let moved = rounds.iter().filter(|(one, other)| one != other).count();
        Ok(Self {
            ticket,
            agrees,
            moved: (moved, rounds.len()),
            told: replies.into_iter().map(|reply| reply.told).collect(),
            last,
        })
    }

    /// Sends the last round once more, and insists on hearing something that stays.
    pub(super) fn repeat(&mut self, client: &Client, patience: Duration) {
        self.told.push(client.insist(&self.last, patience).told);
    }

    /// Whether no request has been told yet what became of the flow.
    pub(super) fn is_open(&self) -> bool {
        self.told.iter().all(Told::is_open)
    }

    /// The receipt, where any request got one.
    pub(super) fn receipt(&self) -> Option<&str> {
        self.told.iter().find_map(|told| match told {
            Told::Paid(bytes) => Some(bytes.as_str()),
            _ => None,
        })
    }

    /// Whether any request was told that nobody knows.
    pub(super) fn is_unknown(&self) -> bool {
        self.told.contains(&Told::Unknown)
    }

    /// What is wrong with what the requests were told, and with what was paid.
    pub(super) fn fault(&self, paid: usize, who: &str) -> Option<String> {
        let receipts = self
            .told
            .iter()
            .filter(|told| matches!(told, Told::Paid(_)));
        let receipts: Vec<_> = receipts.collect();
        let one_receipt = receipts.windows(2).all(|pair| pair[0] == pair[1]);
        let only_known_words = self.told.iter().all(|told| match told {
            Told::Paid(_) => self.agrees,
            Told::NotPaid => !self.agrees,
            // Only the death of its server makes an outcome unknown, and the client sees that.
            Told::Unknown => self.agrees && self.told.contains(&Told::Lost),
            other => other.is_open(),
        });
        let as_told = match (self.agrees, receipts.is_empty()) {
            (false, _) => paid == 0,
            (true, false) => paid == 1 && who == payer(self.ticket),
            (true, true) => paid <= 1 && self.is_unknown(),
        };
        if one_receipt && only_known_words && as_told && !self.is_open() {
            return None;
        }
        let Self { ticket, told, .. } = self;
        Some(format!("ticket {ticket}: {paid} in the ledger, {told:?}"))
    }
}

fn follow(
    request: &Request,
    told: &Told,
    key: &str,
    answer: &serde_json::Value,
    from: &str,
) -> Result<Request, Failure> {
    match told {
        Told::Asked(asked, state) if asked == key => Ok(request.answer(state, key, answer, from)),
        other => Err(format!("instead of the question `{key}` came {other:?}").into()),
    }
}

fn payer(ticket: u64) -> String {
    format!("user{}", ticket % 97)
}
