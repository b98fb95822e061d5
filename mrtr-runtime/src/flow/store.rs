//! The trait that every flow store implements.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;

use super::names::{ClaimId, Epoch, FlowKey, FlowLabel};
use super::verb::{
    Claim, Claimed, End, EndedFlow, Finish, Finished, Found, Look, Looked, Marked, Released, Renew,
    Renewed, Resolution, Resolved,
};

/// What a verb of a [`FlowStore`] returns.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A place that knows which flows have been carried out.
///
/// Each verb is one atomic step: it reads the record, decides by the
/// [`table`](super::table::transition) and writes, and nothing comes between. Leases and lifetimes
/// are judged by the store's own clock. A verb may be dropped half-way or its reply may get lost;
/// what was done stays done, and the caller asks again with the same claim id.
///
/// A store must never drop a record before its time is over. It may drop a *body*.
///
/// A store with a lock of its own needs little more than `transition`; one behind a network does
/// the same in a script or a transaction. The feature `testing` has a conformance test for both.
pub trait FlowStore: Send + Sync + 'static {
    /// The epoch of the data, at most about a second old.
    ///
    /// The first use of an empty store draws it. States of handlers that commit are bound to it.
    fn epoch(&self) -> Reply<'_, Epoch>;

    /// What is known of a flow.
    fn look(&self, flow: FlowKey, look: Look) -> Reply<'_, Looked>;

    /// Claims the right to have the effect of a flow.
    fn claim(&self, flow: FlowKey, claim: Claim) -> Reply<'_, Claimed>;

    /// Extends the lease of a claim, and the life of the record with it.
    fn renew(&self, flow: FlowKey, renew: Renew) -> Reply<'_, Renewed>;

    /// Records the end of a commit. Sent again, it is answered in the same way.
    fn finish(&self, flow: FlowKey, finish: Finish) -> Reply<'_, Finished>;

    /// Ends a flow that has not been claimed.
    fn end(&self, flow: FlowKey, end: End) -> Reply<'_, EndedFlow>;

    /// Gives a claim back: its holder knows that nothing happened.
    fn release(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Released>;

    /// Says that nobody will finish this claim and that its outcome is unknown.
    fn mark_lost(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Marked>;

    /// The record of the flow that people call so; for operators.
    fn find(&self, label: FlowLabel) -> Reply<'_, Option<Found>>;

    /// Writes what an operator found out about a flow whose outcome is unknown.
    fn resolve(&self, flow: FlowKey, resolution: Resolution) -> Reply<'_, Resolved>;
}

/// Why a store gave no answer.
///
/// Whether the verb was carried out is not known then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The store cannot be reached, or did not answer in time.
    #[error("the flow store does not answer")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),

    /// Too few replicas have the claim; it was given back.
    #[error("the claim reached {acknowledged} of the {wanted} replicas it must be on")]
    NotReplicated {
        /// How many replicas have it.
        acknowledged: u32,
        /// How many must.
        wanted: u32,
    },

    /// The operating system gave no random bytes to draw an epoch from.
    #[error("the operating system gave no random bytes")]
    NoEntropy,

    /// The store answered something that is no answer; other data may share its name space.
    #[error("the flow store gave an answer that cannot be read: {0}")]
    Unreadable(String),
}

/// So that an operator's tool and the server can hold the same store.
impl<S: FlowStore + ?Sized> FlowStore for std::sync::Arc<S> {
    fn epoch(&self) -> Reply<'_, Epoch> {
        (**self).epoch()
    }

    fn look(&self, flow: FlowKey, look: Look) -> Reply<'_, Looked> {
        (**self).look(flow, look)
    }

    fn claim(&self, flow: FlowKey, claim: Claim) -> Reply<'_, Claimed> {
        (**self).claim(flow, claim)
    }

    fn renew(&self, flow: FlowKey, renew: Renew) -> Reply<'_, Renewed> {
        (**self).renew(flow, renew)
    }

    fn finish(&self, flow: FlowKey, finish: Finish) -> Reply<'_, Finished> {
        (**self).finish(flow, finish)
    }

    fn end(&self, flow: FlowKey, end: End) -> Reply<'_, EndedFlow> {
        (**self).end(flow, end)
    }

    fn release(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Released> {
        (**self).release(flow, id)
    }

    fn mark_lost(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Marked> {
        (**self).mark_lost(flow, id)
    }

    fn find(&self, label: FlowLabel) -> Reply<'_, Option<Found>> {
        (**self).find(label)
    }

    fn resolve(&self, flow: FlowKey, resolution: Resolution) -> Reply<'_, Resolved> {
        (**self).resolve(flow, resolution)
    }
}
