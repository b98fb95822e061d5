//! What a round saw, for whoever observes it. No event holds an answer.

use crate::key::AskKey;

use super::Found;

/// Something that happened to one ask in one round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundEvent {
    /// The ask.
    pub key: AskKey,
    /// What happened to it.
    pub outcome: Outcome,
}

/// What happened to an ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The question went out.
    Asked,
    /// A valid answer was read.
    Accepted,
    /// The user said no.
    Declined,
    /// The user closed the question.
    Cancelled,
    /// The client did not declare what the question needs.
    Unsupported,
    /// The answer broke the question's rules.
    Invalid,
    /// The answer came after the round's window.
    Late,
    /// The answer had been given to another question under the same key.
    QuestionChanged,
    /// An answer nobody asked for was accepted, as the ask allows.
    Unsolicited,
}

impl Outcome {
    pub(super) fn of(found: &Found) -> Self {
        match found {
            Found::Accepted(_) => Self::Accepted,
            Found::Declined => Self::Declined,
            Found::Cancelled => Self::Cancelled,
            Found::Unsupported => Self::Unsupported,
            Found::Open | Found::Ended(_) => Self::Asked,
        }
    }
}
