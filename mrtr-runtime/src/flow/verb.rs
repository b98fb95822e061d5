//! What a flow store is asked, and what it answers.

use std::time::Duration;

use bytes::Bytes;

use super::names::{Bound, Caller, ClaimId, Cont, Epoch, FlowLabel};

/// The largest recorded body. A larger one is left out: the flow is ended, its result not kept.
pub const LARGEST_BODY: usize = 256 * 1024;

/// How many times an idempotent commit may be taken over from a holder that vanished.
pub const MOST_TAKEOVERS: u8 = 3;

/// How long after the end of a flow its record must stay: the clocks of two machines may differ.
pub const KEEP_MARGIN: Duration = Duration::from_secs(120);

/// What a record says about the flow, besides its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Whose record it is. `None` counts against the limit of the whole store only.
    pub caller: Option<Caller>,
    /// What people call the flow.
    pub label: FlowLabel,
    /// What its body is sealed to.
    pub bound: Bound,
}

/// Asks what is known of a flow, before its handler runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// The epoch that the request's state was sealed in.
    pub epoch: Epoch,
    /// What the request brings.
    pub cont: Cont,
}

/// Claims the right to have the effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The epoch that the request's state was sealed in.
    pub epoch: Epoch,
    /// A fresh random id. A claim whose reply was lost is sent again with the *same* id.
    pub id: ClaimId,
    /// What the request brings.
    pub cont: Cont,
    /// What the record says about the flow.
    pub origin: Origin,
    /// How long the claim is believed without a [`Renew`].
    pub lease: Duration,
    /// How long the record stays: at least as long as a state of the flow can still be presented,
    /// and [`KEEP_MARGIN`] more.
    pub keep: Duration,
    /// Whether the effect is idempotent, so that a claim whose holder vanished may be taken over.
    pub takeover: bool,
}

/// Says that the holder of a claim is alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Renew {
    /// The holder's claim.
    pub id: ClaimId,
    /// How long the claim is believed from now on.
    pub lease: Duration,
    /// How long the record stays from now on, at least.
    pub keep: Duration,
}

/// Records the end of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    /// The epoch that the flow was claimed in.
    pub epoch: Epoch,
    /// The holder's claim.
    pub id: ClaimId,
    /// What the claiming request brought.
    pub cont: Cont,
    /// How long the record stays from now on, at least.
    pub keep: Duration,
    /// The sealed result, for those who send the same request again.
    pub body: Option<Bytes>,
}

/// Ends a flow without a commit: a result without effects, or an answer that was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The epoch that the request's state was sealed in.
    pub epoch: Epoch,
    /// What the request brings.
    pub cont: Cont,
    /// What the record says about the flow.
    pub origin: Origin,
    /// How long the record stays, as for a [`Claim`].
    pub keep: Duration,
    /// The sealed result, for those who send the same request again.
    pub body: Option<Bytes>,
}

/// What an operator found out about a flow whose outcome is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// The effect happened; this is its sealed result.
    Happened(Bytes),
    /// Nothing happened: the final round may be sent again.
    NothingHappened,
}

/// How a flow ended, as a request may know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// With the same answers; this is the sealed result.
    Recorded(Bytes),
    /// With the same answers; the result is no longer kept.
    NotKept,
    /// With other answers. Their result is not this request's business.
    OtherAnswers,
}

/// A record in a request's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Met {
    /// The effect is being carried out.
    Busy {
        /// Whether the holder has the same answers, so that waiting for its result makes sense.
        same: bool,
    },
    /// The holder vanished: nobody knows what it did.
    Lost {
        /// Whether the holder had the same answers.
        same: bool,
        /// How many times the flow has been taken over already.
        takeovers: u8,
    },
    /// The flow has ended.
    Ended(Ended),
}

/// Which limit leaves no room for another record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The store as a whole is full.
    Store,
    /// This caller has as many records as one caller may have.
    Caller,
}

/// The answer to a [`Look`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looked {
    /// Nothing is known: run the handler.
    Free,
    /// There is a record.
    Met(Met),
    /// The store lost its memory since the state was sealed.
    OtherEpoch,
}

/// The answer to a [`Claim`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimed {
    /// The effect may be had, by this claim and no other.
    Won,
    /// There is a record; nothing may be done.
    Met(Met),
    /// There is no room; nothing may be done.
    Full(Limit),
    /// The store lost its memory since the state was sealed; nothing may be done.
    OtherEpoch,
}

/// The answer to a [`Renew`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewed {
    /// The claim holds.
    Held,
    /// The flow is not this claim's any more: it ended, was taken over, or the record is gone.
    Gone,
}

/// The answer to a [`Finish`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finished {
    /// The end stands in the record.
    Recorded {
        /// Whether the result does too.
        body: bool,
    },
    /// Another end came first and stays.
    Earlier(Ended),
    /// Nothing was recorded: the record is gone, or another claim's.
    NotHeld,
    /// Nothing was recorded: the store lost its memory since the claim.
    OtherEpoch,
}

/// The answer to an [`End`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndedFlow {
    /// The end stands in the record: no commit can follow.
    Recorded,
    /// There is a record already.
    Met(Met),
    /// There is no room: the end could not be made final.
    Full(Limit),
    /// The store lost its memory since the state was sealed.
    OtherEpoch,
}

/// The answer to a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Released {
    /// The flow can be claimed again.
    Freed,
    /// The flow was not this claim's.
    NotHeld,
}

/// The answer to a mark that a claim is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marked {
    /// The outcome is unknown from now on, without waiting for the lease.
    Lost,
    /// The flow was not this claim's.
    NotHeld,
}

/// The answer to an operator's [`Resolution`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolved {
    /// The record says so now.
    Done,
    /// There is no such record.
    Nothing,
    /// The effect is still being carried out.
    Busy,
    /// The flow has ended, and what it ended in is known.
    AlreadyEnded,
}

/// A record as an operator sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// The record's name.
    pub flow: super::FlowKey,
    /// The answers that it was claimed or ended with.
    pub cont: Cont,
    /// What its body is sealed to.
    pub bound: Bound,
    /// What is known of the flow.
    pub state: FoundState,
}

/// What is known of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundState {
    /// The effect is being carried out.
    Busy,
    /// The holder vanished: only a person can find out what it did.
    Lost,
    /// It ended and its result is kept.
    Ended,
    /// It ended; its result is not kept.
    EndedWithoutBody,
}
