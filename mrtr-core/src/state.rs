//! What a flow carries from one round to the next, inside `requestState`.

mod binary;
mod readable;

use std::borrow::Cow;
use std::fmt;

use crate::key::AskKey;

/// The most tries, and the most changes, that an asked record can count.
pub const MAX_COUNTED: u8 = 7;

/// The 16 random bytes that name a flow, drawn when it starts and never shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Root(pub [u8; 16]);

/// The digest of an author's question, keyed by the flow's root.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct QuestionDigest(pub [u8; 16]);

/// The state of a flow between two rounds.
///
/// The three lists ascend by key and hold each key once; [`FlowState::encode`] puts them in
/// order if they do not, the last of equal keys winning. `Debug` shows no answer and no memo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowState {
    /// The name of the flow.
    pub root: Root,
    /// When the flow started, in milliseconds since the Unix epoch, below 2^48.
    pub start: u64,
    /// The number of the round that asked, from 1.
    pub round: u8,
    /// Until when answers are accepted, in milliseconds since the Unix epoch.
    pub round_end: u64,
    /// Until when the flow can go on, in milliseconds since the Unix epoch.
    pub flow_end: u64,
    /// The questions that are open.
    pub asked: Vec<Asked>,
    /// The answers that were accepted.
    pub entries: Vec<Entry>,
    /// The values that the handler asked to remember.
    pub memos: Vec<Memo>,
}

/// A question that was sent and is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The key of the ask.
    pub key: AskKey,
    /// What was asked.
    pub question: QuestionDigest,
    /// How the answer is to be read.
    pub kind: Kind,
    /// How many answers were invalid; counts to [`MAX_COUNTED`].
    pub tries: u8,
    /// How many times in a row the question was another one; counts to [`MAX_COUNTED`].
    pub changes: u8,
}

/// An answer that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key of the ask.
    pub key: AskKey,
    /// What was answered.
    pub question: QuestionDigest,
    /// The round that asked.
    pub asked_round: u8,
    /// The answer.
    pub answer: SealedAnswer,
}

/// An answer as the state carries it; not yet checked against any question.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedAnswer {
    /// The kind of question it answers.
    pub kind: Kind,
    /// What the user did.
    pub action: Action,
    /// The canonical JSON of what was accepted; never carried with a decline or cancel.
    pub content: Option<Box<str>>,
}

/// A value that the handler remembers along the rounds.
#[derive(Clone, PartialEq, Eq)]
pub struct Memo {
    /// The name of the value.
    pub key: AskKey,
    /// The run that made it, from 1.
    pub run: u8,
    /// The value as JSON.
    pub value: Box<str>,
}

/// The kind of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Elicitation in form mode.
    Form = 0,
    /// Elicitation in URL mode.
    Url = 1,
    /// Sampling from the client's model.
    Sampling = 2,
    /// The client's roots.
    Roots = 3,
}

/// What the user did with a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Accepted it.
    Accept = 0,
    /// Said no.
    Decline = 1,
    /// Dismissed it.
    Cancel = 2,
}

/// Why bytes are not a state. No text of it shows any of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// The bytes end too early, or a count or length goes beyond them.
    #[error("the state ends too early")]
    TooShort,
    /// Bytes are left over.
    #[error("the state has bytes left over")]
    LeftOver,
    /// A number is not written in its shortest form, or out of range.
    #[error("a number of the state is not written properly")]
    Number,
    /// A key is not an ask key.
    #[error("a key of the state is malformed")]
    Key,
    /// The keys do not ascend.
    #[error("the keys of the state do not ascend")]
    Order,
    /// A kind or action is unknown, or content stands where there can be none.
    #[error("an answer of the state is of no known kind")]
    Answer,
    /// A text is not UTF-8.
    #[error("a text of the state is not UTF-8")]
    Text,
    /// A readable state is not the canonical JSON of a state.
    #[error("the readable state is not in its canonical form")]
    Readable,
}

impl Root {
    /// The bytes of the root.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl FlowState {
    /// The answer of a key.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        find(&self.entries, key)
    }

    /// The remembered value of a key.
    #[must_use]
    pub fn memo(&self, key: &str) -> Option<&Memo> {
        find(&self.memos, key)
    }
}

impl SealedAnswer {
    /// The content that counts: that of an accepted question only.
    #[must_use]
    pub fn accepted(&self) -> Option<&str> {
        self.content
            .as_deref()
            .filter(|_| self.action == Action::Accept)
    }
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Form, Kind::Url, Kind::Sampling, Kind::Roots];

    /// The name in a readable state.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Form => "form",
            Kind::Url => "url",
            Kind::Sampling => "sampling",
            Kind::Roots => "roots",
        }
    }
}

impl Action {
    const ALL: [Action; 3] = [Action::Accept, Action::Decline, Action::Cancel];

    /// The name on the wire and in a readable state.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Action::Accept => "accept",
            Action::Decline => "decline",
            Action::Cancel => "cancel",
        }
    }
}

/// A record that the state keeps by key.
pub(crate) trait Keyed: Clone {
    fn key(&self) -> &AskKey;
}

impl Keyed for Asked {
    fn key(&self) -> &AskKey {
        &self.key
    }
}

impl Keyed for Entry {
    fn key(&self) -> &AskKey {
        &self.key
    }
}

impl Keyed for Memo {
    fn key(&self) -> &AskKey {
        &self.key
    }
}

/// The records ascending by key, each key once; the last of equal keys wins.
pub(crate) fn in_order<T: Keyed>(records: &[T]) -> Cow<'_, [T]> {
    if records.is_sorted_by(|a, b| a.key() < b.key()) {
        return Cow::Borrowed(records);
    }
    let mut sorted: Vec<T> = records.iter().rev().cloned().collect();
    // The sort is stable, so of equal keys the one that was last now comes first and stays.
    sorted.sort_by(|a, b| a.key().cmp(b.key()));
    sorted.dedup_by(|a, b| a.key() == b.key());
    Cow::Owned(sorted)
}

fn find<'a, T: Keyed>(records: &'a [T], key: &str) -> Option<&'a T> {
    let at = records
        .binary_search_by(|record| record.key().as_str().cmp(key))
        .ok()?;
    Some(&records[at])
}

impl fmt::Debug for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Root(..)")
    }
}

impl fmt::Debug for QuestionDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("QuestionDigest(..)")
    }
}

impl fmt::Debug for SealedAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealedAnswer({:?} {:?})", self.kind, self.action)
    }
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memo({} of run {})", self.key, self.run)
    }
}

#[cfg(test)]
pub(crate) mod tests;
