//! The flow store: what makes an effect happen once.
//!
//! A `requestState` is not single-use: a lost response, a double click, a proxy's retry or a
//! hostile client all send the last round again, and only a place that all instances share can
//! know that it has been carried out. That place holds one [`record`] per flow. The
//! [`table`](table::transition) says what becomes of it and what a request is told; a store is that
//! table behind a lock ([`MemoryStore`]) or as scripts in Redis, and `conform` (feature `testing`) holds any other
//! store to it.
//!
//! Two laws come before everything else. A store never forgets a record while a state of its flow
//! can still be presented: when it is full it refuses. And it never gives the same flow to two
//! claims, unless the effect was declared idempotent.

#[cfg(any(test, feature = "testing"))]
pub mod conform;
mod memory;
#[cfg(test)]
mod model;
mod names;
mod operator;
pub mod record;
#[cfg(feature = "redis")]
mod redis;
mod shelf;
mod store;
pub mod table;
mod text;
mod verb;

#[cfg(feature = "redis")]
pub use self::redis::{ConnectError, RedisOptions, RedisStore};
pub use memory::MemoryStore;
pub use names::{Bound, Caller, ClaimId, Cont, Epoch, FlowKey, FlowLabel};
pub use operator::{Flows, Outcome, ResolveError};
pub use store::{FlowStore, Reply, StoreError};
pub use text::FlowError;
pub use verb::{
    Claim, Claimed, End, Ended, EndedFlow, Finish, Finished, Found, FoundState, KEEP_MARGIN,
    LARGEST_BODY, Limit, Look, Looked, MOST_TAKEOVERS, Marked, Met, Origin, Released, Renew,
    Renewed, Resolution, Resolved,
};
