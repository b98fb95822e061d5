//! What operators do with flows whose outcome nobody knows.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use mrtr_core::ident::FlowId;
use mrtr_core::keyring::KeyRing;
use mrtr_core::seal::{Sealer, Sealing, record_aad};

use super::names::FlowLabel;
use super::store::{FlowStore, StoreError};
use super::verb::{Found, FoundState, LARGEST_BODY, Resolution, Resolved};
use crate::content::ToolResult;
use crate::wire;
use crate::world::{System, World};

/// The flows of a server, for the people who run it.
///
/// When a server vanishes in the middle of a commit, nobody knows whether its effect happened, and
/// every repeat is told so, with a reference. Somebody then looks at the bank, the shop or the
/// ledger, and tells the store what was found:
///
/// ```no_run
/// # use mrtr_runtime as mrtr;
/// use mrtr::flow::{FlowStore, Flows, Outcome};
/// use mrtr::{KeyRing, ToolResult};
///
/// # async fn resolve(store: impl FlowStore, keys: KeyRing) -> Result<(), Box<dyn std::error::Error>> {
/// let flows = Flows::new(store, keys);
/// let id = "6b1f0c2d9a4e83f75210".parse()?; // the reference in the text
/// flows.resolve(id, Outcome::Happened(ToolResult::text("paid, receipt 4711"))).await?;
/// # Ok(())
/// # }
/// ```
///
/// A repeat of the final round then gets that result. After [`Outcome::NothingHappened`] it may
/// carry the call out.
pub struct Flows {
    store: Arc<dyn FlowStore>,
    sealer: Sealer,
    world: Arc<dyn World>,
}

/// What an operator found out about a flow whose outcome is unknown.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Outcome {
    /// The effect happened, and this is what a repeat of the final round is told.
    Happened(ToolResult),
    /// Nothing happened: the final round may be sent again, and then has its effect.
    NothingHappened,
}

impl Flows {
    /// The flows in this store, with the keys of the servers that use it.
    ///
    /// Results are sealed with the first key, as the servers seal theirs.
    pub fn new(store: impl FlowStore, keys: KeyRing) -> Self {
        Self {
            store: Arc::new(store),
            sealer: Sealer::new(keys, Sealing::Sealed),
            world: Arc::new(System),
        }
    }

    /// What is known of the flow with this reference; `None` when it has no record.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn find(&self, flow: FlowId) -> Result<Option<FoundState>, StoreError> {
        let found = self.found(flow).await?;
        Ok(found.map(|found| found.state))
    }

    /// Writes what was found out about a flow whose outcome is unknown, or whose result is not kept.
    ///
    /// # Errors
    /// When the flow has no record, is still being carried out or has ended with a known result, or
    /// when the new result is too long to be kept; nothing is changed then. When the store does not answer, whether it was changed is not
    /// known: [`find`](Flows::find) tells.
    pub async fn resolve(&self, flow: FlowId, outcome: Outcome) -> Result<(), ResolveError> {
        let found = self.found(flow).await?.ok_or(ResolveError::Nothing)?;
        let resolution = match outcome {
            Outcome::Happened(result) => Resolution::Happened(self.seal(&found, result)?),
            Outcome::NothingHappened => Resolution::NothingHappened,
        };
        match self.store.resolve(found.flow, resolution).await? {
            Resolved::Done => {
                tracing::info!(%flow, "an operator resolved a flow");
                Ok(())
            }
            Resolved::Nothing => Err(ResolveError::Nothing),
            Resolved::Busy => Err(ResolveError::Busy),
            Resolved::AlreadyEnded => Err(ResolveError::AlreadyEnded),
        }
    }

    async fn found(&self, flow: FlowId) -> Result<Option<Found>, StoreError> {
        self.store.find(FlowLabel(*flow.as_bytes())).await
    }

    /// Seals a result as the server that had the claim would have done.
    fn seal(&self, found: &Found, result: ToolResult) -> Result<Bytes, ResolveError> {
        let mut member = Vec::with_capacity(256);
        wire::tool_result(&mut member, &result, None);
        let mut random = [0; 24];
        let drawn = self.world.random(&mut random);
        drawn.map_err(|_| ResolveError::Store(StoreError::NoEntropy))?;
        let aad = record_aad(&found.flow.0, &found.cont.0, &found.bound.0);
        let body: Bytes = self.sealer.seal_record(&member, &aad, random).into();
        // The store would keep the end without the result, which nobody asked for here.
        if body.len() > LARGEST_BODY {
            return Err(ResolveError::TooLarge {
                size: member.len(),
                limit: LARGEST_BODY,
            });
        }
        Ok(body)
    }
}

impl fmt::Debug for Flows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flows").finish_non_exhaustive()
    }
}

/// Why a flow was not resolved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// There is no record of it: it was never claimed, or every state of it has expired.
    #[error("the store has no record of this flow: check the reference")]
    Nothing,
    /// It is being carried out.
    #[error("this flow is still being carried out: try again when its lease is over")]
    Busy,
    /// Its end is known.
    #[error("this flow has ended with a known result, which stays")]
    AlreadyEnded,
    /// The result is too long to be kept.
    #[error("the result has {size} bytes and at most {limit} can be kept: give a shorter one")]
    TooLarge {
        /// How long it is, as it would be sent.
        size: usize,
        /// How long it may be, sealed.
        limit: usize,
    },
    /// The store gave no answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}
