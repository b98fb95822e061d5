//! What can be seen of a flow from outside the handler.
//!
//! No user code runs on a decline or a suspension, so this is where an author counts them.

use std::sync::Arc;

pub use mrtr_core::ident::FlowId;
pub use mrtr_core::round::Outcome;

/// Something that happened in a flow. It never holds an answer, an argument or a state.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event<'a> {
    /// The handler's name on the wire.
    pub handler: &'a str,
    /// The flow; `None` where the request did not get as far as one: its state did not open, or
    /// the client cannot be asked what the handler always asks.
    pub flow: Option<FlowId>,
    /// The number of the request within the flow, from 1; 0 without a flow.
    pub round: u8,
    /// What happened.
    pub kind: EventKind<'a>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind<'a> {
    /// Something happened to one ask: it went out, or an answer came to something.
    Ask {
        /// The ask's key.
        key: &'a str,
        /// What happened to it.
        outcome: Outcome,
    },
    /// The commit began.
    Committed,
    /// The call ended.
    Ended(Ending),
    /// The request's state was refused; the reason is for the log, clients are not told.
    Refused {
        /// Why, as a short fixed word.
        reason: &'static str,
    },
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// With a result.
    Result,
    /// With a result that tells of a failure, or a no to an ask that cannot do without.
    ToolError,
    /// With a JSON-RPC error.
    Error,
    /// The client went away before the commit, or the server ended.
    Cancelled,
}

/// Who is told of events.
pub(crate) type Observer = Arc<dyn Fn(&Event<'_>) + Send + Sync>;
