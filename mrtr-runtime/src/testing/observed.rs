//! Events of a flow, kept for a test to look at.

use std::fmt;

use crate::observe::{Ending, Event, EventKind, FlowId, Outcome};

/// Something that a server told its observers, with everything borrowed made its own.
///
/// It equals the text it is displayed as, so that a test can compare a whole list:
/// `["1 who asked", "2 who accepted", "2 committed", "2 ended with a result"]`.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Observed {
    /// The handler's name on the wire.
    pub handler: String,
    /// The flow; `None` for a state that did not open.
    pub flow: Option<FlowId>,
    /// The number of the request within the flow, from 1.
    pub round: u8,
    /// What happened.
    pub kind: ObservedKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObservedKind {
    /// Something happened to one ask.
    Ask {
        /// The ask's key.
        key: String,
        /// What happened to it.
        outcome: Outcome,
    },
    /// The commit began.
    Committed,
    /// The call ended.
    Ended(Ending),
    /// The request's state was refused.
    Refused {
        /// Why, as a short fixed word.
        reason: &'static str,
    },
}

impl Observed {
    pub(super) fn of(event: &Event<'_>) -> Self {
        Self {
            handler: event.handler.to_owned(),
            flow: event.flow,
            round: event.round,
            kind: match &event.kind {
                EventKind::Ask { key, outcome } => ObservedKind::Ask {
                    key: (*key).to_owned(),
                    outcome: *outcome,
                },
                EventKind::Committed => ObservedKind::Committed,
                EventKind::Ended(ending) => ObservedKind::Ended(*ending),
                EventKind::Refused { reason } => ObservedKind::Refused { reason },
            },
        }
    }
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ObservedKind::Ask { key, outcome } => {
                write!(f, "{} {key} {}", self.round, said(*outcome))
            }
            ObservedKind::Committed => write!(f, "{} committed", self.round),
            ObservedKind::Ended(ending) => write!(f, "{} {}", self.round, ended(*ending)),
            // The round of a state that did not open is not known.
            ObservedKind::Refused { reason } => write!(f, "refused: {reason}"),
        }
    }
}

impl fmt::Debug for Observed {
    /// As a text, because a failing comparison shows it beside one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_string().fmt(f)
    }
}

fn said(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Asked => "asked",
        Outcome::Accepted => "accepted",
        Outcome::Declined => "declined",
        Outcome::Cancelled => "cancelled",
        Outcome::Unsupported => "unsupported",
        Outcome::Invalid => "invalid",
        Outcome::Late => "late",
        Outcome::QuestionChanged => "changed",
        Outcome::Unsolicited => "unsolicited",
        _ => "came to something new",
    }
}

fn ended(ending: Ending) -> &'static str {
    match ending {
        Ending::Result => "ended with a result",
        Ending::ToolError => "ended with a tool error",
        Ending::Error => "ended with an error",
        Ending::Cancelled => "ended because the client left",
    }
}

impl PartialEq<str> for Observed {
    fn eq(&self, text: &str) -> bool {
        let shown = self.to_string();
        shown == text
    }
}

impl PartialEq<&str> for Observed {
    fn eq(&self, text: &&str) -> bool {
        self == *text
    }
}
