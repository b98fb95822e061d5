//! Why a call ends without its handler's result.

use crate::capability::Capabilities;
use crate::key::AskKey;

/// A reason that ends the call, in words the caller may read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum End {
    /// One key was asked twice in one run.
    #[error("the key `{0}` is asked twice in one call; give each question its own key")]
    DuplicateKey(AskKey),
    /// A question was asked after the commit had begun.
    #[error("the handler asked `{0}` after its commit")]
    AskedAfterCommit(AskKey),
    /// The answers never became valid.
    #[error("no valid answer to `{0}` after several tries; start the call again")]
    TooManyTries(AskKey),
    /// The question is another one each time it is asked.
    #[error("the question `{0}` changes every time it is asked; start the call again")]
    KeepsChanging(AskKey),
    /// The user said no to a question that the handler cannot do without.
    #[error("`{0}` was declined")]
    Declined(AskKey),
    /// The user closed a question that the handler cannot do without.
    #[error("`{0}` was cancelled")]
    Cancelled(AskKey),
    /// The client did not declare what the question needs.
    #[error("the client does not support the question `{0}`")]
    Unsupported(AskKey, Capabilities),
    /// The client speaks a revision that cannot show the question.
    #[error("the question `{0}` cannot be shown to this client: {1}")]
    CannotShow(AskKey, String),
    /// The question was sent and no answer came.
    #[error("`{0}` got no answer: {1}")]
    NoAnswer(AskKey, String),
    /// The handler dropped a question that waited for its answer.
    #[error("the handler dropped the question `{0}` while it waited for its answer")]
    Abandoned(AskKey),
    /// The handler goes back to a question that has no answer in this run.
    #[error("the handler goes back to `{0}`, which it has no answer to")]
    NoWayBack(AskKey),
    /// Whether what a link is for is done cannot be found out.
    #[error("whether `{0}` is finished could not be found out; start the call again")]
    CheckFailed(AskKey),
    /// The key is no key.
    #[error("a question has an invalid key: {0}")]
    BadKey(String),
    /// The question cannot be shown.
    #[error("the question `{0}` cannot be asked: {1}")]
    BadQuestion(AskKey, String),
    /// The flow has used up its rounds.
    #[error("`{key}` would need more than {limit} rounds; start the call again")]
    TooManyRounds {
        /// The first question that found no round.
        key: AskKey,
        /// The limit it met.
        limit: u8,
    },
    /// What must be carried to the next round does not fit.
    #[error(
        "the request state would be {size} characters long, more than the limit of {limit}{}",
        largest(.key.as_ref(), *.bytes)
    )]
    StateTooLarge {
        /// The largest entry; none in a state that carries nothing.
        key: Option<AskKey>,
        /// How long that entry is, in bytes of JSON.
        bytes: usize,
        /// The size it would have, in characters.
        size: usize,
        /// The limit, in characters.
        limit: usize,
    },
}

impl End {
    /// The ask that the reason is about.
    #[must_use]
    pub fn key(&self) -> Option<&AskKey> {
        match self {
            Self::DuplicateKey(key)
            | Self::AskedAfterCommit(key)
            | Self::TooManyTries(key)
            | Self::KeepsChanging(key)
            | Self::Declined(key)
            | Self::Cancelled(key)
            | Self::Unsupported(key, _)
            | Self::NoWayBack(key)
            | Self::CheckFailed(key)
            | Self::BadQuestion(key, _)
            | Self::CannotShow(key, _)
            | Self::NoAnswer(key, _)
            | Self::Abandoned(key)
            | Self::TooManyRounds { key, .. } => Some(key),
            Self::StateTooLarge { key, .. } => key.as_ref(),
            Self::BadKey(_) => None,
        }
    }

    /// Whether the handler is at fault, not the client or its user.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        matches!(
            self,
            Self::DuplicateKey(_)
                | Self::AskedAfterCommit(_)
                | Self::Abandoned(_)
                | Self::NoWayBack(_)
                | Self::BadKey(_)
                | Self::BadQuestion(..)
        )
    }
}

fn largest(key: Option<&AskKey>, bytes: usize) -> String {
    key.map_or_else(String::new, |key| {
        // An open question takes next to nothing.
        let held = match bytes {
            0 => String::new(),
            _ => format!(", with {bytes} bytes in one entry"),
        };
        format!("{held}; its largest entry is `{key}`")
    })
}
