//! Every bound that a flow is held to, with its default.

use crate::state::Kind;

/// What one server allows a flow to cost. Times are in milliseconds, sizes in bytes of UTF-8.
///
/// The bounds stop honest loops and broken clients. They are no protection against a client that
/// goes back to an earlier state on purpose: see the page on guarantees.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How long a flow may last from its first request, in milliseconds.
    pub flow: u64,
    /// How long the questions of one round may wait for their answers, in milliseconds.
    pub round: u64,
    /// How many requests one flow may take: the last one can only finish.
    pub rounds: u8,
    /// The longest `requestState`, read or written, in characters.
    pub state: usize,
    /// How deep the JSON of `params` may nest.
    pub depth: usize,
    /// How many members `inputResponses` may have.
    pub responses: usize,
    /// The largest answer to a form or URL question.
    pub answer: usize,
    /// How deep an answer may nest.
    pub answer_depth: usize,
    /// The largest answer to a sampling or roots question.
    pub large_answer: usize,
    /// How many questions one round sends; more wait for the next round.
    pub asks: usize,
    /// How many times an invalid answer is asked for again.
    pub tries: u8,
    /// The change of a question, in a row, that ends the call.
    pub changes: u8,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            flow: 3_600_000,
            round: 600_000,
            rounds: 10,
            state: 16 * 1024,
            depth: 64,
            responses: 64,
            answer: 16 * 1024,
            answer_depth: 8,
            large_answer: 64 * 1024,
            asks: 16,
            tries: 3,
            changes: 3,
        }
    }
}

impl Limits {
    /// The largest answer to a question of this kind, in bytes of its JSON.
    pub(crate) fn answer_size(&self, kind: Kind) -> usize {
        match kind {
            Kind::Form | Kind::Url => self.answer,
            Kind::Sampling | Kind::Roots => self.large_answer,
        }
    }
}
