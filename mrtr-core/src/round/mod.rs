//! One round of a flow: what the request brought, what the handler asked, what goes back sealed.
//!
//! A round is a plain value. It is made from an opened state and the answers of the request
//! ([`Round::first`], [`Round::resume`]), the handler's asks are put to it one by one
//! ([`Round::ask`]), and if questions stay open it mints the next state ([`Round::mint`]).

mod answers;
mod end;
mod event;
mod live;
mod mint;
mod offered;
#[cfg(test)]
mod tests;
mod view;

use crate::capability::Capabilities;
use crate::key::AskKey;
use crate::limits::Limits;
use crate::question::Question;
use crate::state::{Asked, Entry, FlowState, Kind, Memo, QuestionDigest, Root};

pub use end::End;
pub use event::{Outcome, RoundEvent};
pub use live::Sent;
pub use mint::{Minted, OpenQuestion};

/// The reason shown when an answered question was replaced by another one.
const CHANGED: &str = "Something changed since you answered. Please answer again.";

/// How an ask is to be put, beside its question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AskOptions {
    /// What the question needs and the request does not declare.
    pub missing: Capabilities,
    /// The author takes "cannot ask" for an answer.
    pub if_supported: bool,
    /// An answer that nobody asked for counts, too.
    pub accept_unsolicited: bool,
    /// The question wants a round of its own.
    pub alone: bool,
}

/// What an ask comes to in this round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Accepted, with the normalised content as JSON text.
    Accepted(String),
    /// Declined.
    Declined,
    /// Cancelled.
    Cancelled,
    /// The client cannot be asked, and the author allowed for it.
    Unsupported,
    /// Not answered: the round ends in this question.
    Open,
    /// The call ends.
    Ended(End),
}

/// The reason shown when the user has agreed to open a link and is not done there.
const NOT_DONE: &str = "This is not finished yet. Please finish it, then answer again.";

/// One round of a flow.
pub struct Round {
    limits: Limits,
    root: Root,
    start: u64,
    flow_end: u64,
    /// The number of this run, from 1.
    number: u8,
    presented: bool,
    asked: Vec<Asked>,
    entries: Vec<Entry>,
    memos: Vec<Memo>,
    /// Answers nobody asked for, kept for asks that accept them.
    loose: Vec<(AskKey, Box<str>)>,
    /// Questions whose answer is longer than is read.
    longer: Vec<AskKey>,
    /// Every question asked in this run, by key.
    registered: Vec<Registered>,
    open: Vec<Open>,
    /// Questions that were sent while the handler goes on, and that have no answer yet.
    in_flight: Vec<AskKey>,
    committed: bool,
    events: Vec<RoundEvent>,
}

/// A question that was asked in this run, so that a later refusal can ask it again.
struct Registered {
    question: Question,
    digest: QuestionDigest,
    options: AskOptions,
}

/// A question that goes out if the round ends now.
struct Open {
    key: AskKey,
    digest: QuestionDigest,
    request: String,
    kind: Kind,
    tries: u8,
    changes: u8,
    alone: bool,
}

impl Round {
    /// The first round of a new flow: no state was presented.
    ///
    /// `root` is 16 fresh random bytes and `now` the time in milliseconds since the Unix epoch.
    #[must_use]
    pub fn first(root: Root, now: u64, limits: Limits) -> Self {
        Self {
            root,
            start: now,
            flow_end: now.saturating_add(limits.flow),
            number: 1,
            presented: false,
            asked: Vec::new(),
            entries: Vec::new(),
            memos: Vec::new(),
            loose: Vec::new(),
            longer: Vec::new(),
            registered: Vec::new(),
            open: Vec::new(),
            in_flight: Vec::new(),
            committed: false,
            events: Vec::new(),
            limits,
        }
    }

    /// A later round: the state has been opened, `now` is before the flow's end.
    #[must_use]
    pub fn resume(state: FlowState, limits: Limits) -> Self {
        Self {
            root: state.root,
            start: state.start,
            flow_end: state.flow_end,
            number: state.round.saturating_add(1),
            presented: true,
            asked: state.asked,
            entries: state.entries,
            memos: state.memos,
            ..Self::first(state.root, state.start, limits)
        }
    }

    /// Puts an ask to the round.
    pub fn ask(&mut self, question: Question, options: AskOptions) -> Found {
        let key = question.key().clone();
        if self.position(&key).is_some() {
            return Found::Ended(End::DuplicateKey(key));
        }
        if self.committed {
            return Found::Ended(End::AskedAfterCommit(key));
        }
        let digest = question.digest(&self.root);
        self.registered.push(Registered {
            question,
            digest,
            options,
        });
        let index = self.registered.len() - 1;
        match self.entry(&key) {
            Some(entry) if entry.question == digest => self.read(index),
            Some(_) => self.changed(index),
            None => self.unanswered(index),
        }
    }

    /// Says that an accepted answer does not do after all, and asks again with the reason.
    ///
    /// For an answer that fits the schema but not the author's type or validator.
    pub fn refuse(&mut self, key: &AskKey, reason: &str) -> Found {
        match self.position(key) {
            Some(index) => self.invalid(index, reason),
            None => Found::Open,
        }
    }

    /// Asks a link's question again because what it is for is not done. This is no wrong answer:
    /// the consent stays, and a client that brings none this time need not ask for it again.
    pub fn not_done(&mut self, key: &AskKey) -> Found {
        match self.position(key) {
            Some(index) => {
                let counts = self.counts(key, self.registered[index].digest);
                self.open(index, counts, Some(NOT_DONE), None)
            }
            None => Found::Open,
        }
    }

    /// Takes back the answer to a question of this run, and every answer asked for in a later
    /// round, and asks again with the answer as the draft: [`Found::Open`], or the call ends. A
    /// client that cannot be asked any more is an end here, whatever the author allowed for: there
    /// is nobody who would be told.
    pub fn back_to(&mut self, key: &AskKey, reason: &str) -> Found {
        if self.committed {
            return Found::Ended(End::AskedAfterCommit(key.clone()));
        }
        let answered = self.entry(key).map(|entry| entry.answer.clone());
        let (Some(index), Some(answer)) = (self.position(key), answered) else {
            return Found::Ended(End::NoWayBack(key.clone()));
        };
        self.drop_entry(key);
        // Nobody is asked one question twice in a round.
        if self.open.iter().any(|open| open.key == *key) {
            return Found::Open;
        }
        match self.open(index, (0, 0), Some(reason), answer.accepted()) {
            Found::Unsupported => {
                let missing = self.registered[index].options.missing;
                Found::Ended(End::Unsupported(key.clone(), missing))
            }
            found => found,
        }
    }

    fn position(&self, key: &AskKey) -> Option<usize> {
        self.registered
            .iter()
            .position(|earlier| earlier.question.key() == key)
    }

    /// A remembered value as JSON text, if this path of rounds has one.
    #[must_use]
    pub fn memo(&self, key: &AskKey) -> Option<&str> {
        self.memos
            .binary_search_by(|memo| memo.key.cmp(key))
            .ok()
            .map(|index| &*self.memos[index].value)
    }

    /// Remembers a value for the rounds that follow this one.
    pub fn remember(&mut self, key: AskKey, value: String) {
        let memo = Memo {
            key,
            run: self.number,
            value: value.into_boxed_str(),
        };
        match self
            .memos
            .binary_search_by(|earlier| earlier.key.cmp(&memo.key))
        {
            Ok(index) => self.memos[index] = memo,
            Err(index) => self.memos.insert(index, memo),
        }
    }

    fn entry(&self, key: &AskKey) -> Option<&Entry> {
        self.entries
            .binary_search_by(|entry| entry.key.cmp(key))
            .ok()
            .map(|index| &self.entries[index])
    }

    fn insert(&mut self, entry: Entry) {
        match self
            .entries
            .binary_search_by(|earlier| earlier.key.cmp(&entry.key))
        {
            Ok(index) => self.entries[index] = entry,
            Err(index) => self.entries.insert(index, entry),
        }
    }

    fn note(&mut self, key: &AskKey, outcome: Outcome) {
        self.events.push(RoundEvent {
            key: key.clone(),
            outcome,
        });
    }

    /// The entry was given to another question: it goes, and so does what hangs on it.
    fn changed(&mut self, index: usize) -> Found {
        let key = self.registered[index].question.key().clone();
        self.drop_entry(&key);
        self.note(&key, Outcome::QuestionChanged);
        let changes = self
            .asked(&key)
            .map_or(0, |asked| asked.changes)
            .saturating_add(1);
        if changes >= self.limits.changes {
            return Found::Ended(End::KeepsChanging(key));
        }
        self.open(index, (0, changes), Some(CHANGED), None)
    }

    /// The answer breaks the question's rules: it goes, and the question is asked again.
    fn invalid(&mut self, index: usize, reason: &str) -> Found {
        let registered = &self.registered[index];
        let (key, digest) = (registered.question.key().clone(), registered.digest);
        self.drop_entry(&key);
        self.note(&key, Outcome::Invalid);
        let tries = self
            .asked(&key)
            .filter(|asked| asked.question == digest)
            .map_or(0, |asked| asked.tries)
            .saturating_add(1);
        if tries > self.limits.tries {
            return Found::Ended(End::TooManyTries(key));
        }
        let reason = format!("Please answer again: {reason}.");
        self.open(index, (tries, 0), Some(&reason), None)
    }

    /// The tries and changes of a question that was asked before just so.
    fn counts(&self, key: &AskKey, digest: QuestionDigest) -> (u8, u8) {
        self.asked(key)
            .filter(|asked| asked.question == digest)
            .map_or((0, 0), |asked| (asked.tries, asked.changes))
    }

    fn open(
        &mut self,
        index: usize,
        (tries, changes): (u8, u8),
        reason: Option<&str>,
        draft: Option<&str>,
    ) -> Found {
        let registered = &self.registered[index];
        let key = registered.question.key().clone();
        let missing = registered.options.missing;
        if !missing.is_empty() {
            let lenient = registered.options.if_supported;
            self.note(&key, Outcome::Unsupported);
            return if lenient {
                Found::Unsupported
            } else {
                Found::Ended(End::Unsupported(key, missing))
            };
        }
        self.open.push(Open {
            request: registered.question.to_request(reason, draft),
            kind: registered.question.what().kind(),
            digest: registered.digest,
            alone: registered.options.alone,
            key,
            tries,
            changes,
        });
        self.note_offers(index);
        Found::Open
    }

    fn asked(&self, key: &AskKey) -> Option<&Asked> {
        self.asked.iter().find(|asked| asked.key == *key)
    }

    /// Drops an answer, every answer asked for in a later round, and every memo made since.
    fn drop_entry(&mut self, key: &AskKey) {
        let Some(round) = self.entry(key).map(|entry| entry.asked_round) else {
            return;
        };
        self.entries
            .retain(|entry| entry.key != *key && entry.asked_round <= round);
        self.memos.retain(|memo| memo.run <= round);
    }
}

impl std::fmt::Debug for Round {
    /// Numbers only: answers, memos and the root never reach a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Round")
            .field("number", &self.number)
            .field("asked", &self.asked.len())
            .field("entries", &self.entries.len())
            .field("memos", &self.memos.len())
            .field("open", &self.open.len())
            .finish_non_exhaustive()
    }
}
