//! The flow store in Redis, with the points at which an instance can be held.

use std::sync::Arc;

use mrtr::flow::{
    Claim, ClaimId, Claimed, End, EndedFlow, Epoch, Finish, Finished, FlowKey, FlowLabel,
    FlowStore, Found, Look, Looked, Marked, RedisStore, Released, Renew, Renewed, Reply,
    Resolution, Resolved, StoreError,
};

use crate::hold::{Hold, Point};

/// A store that holds where its instance is to hold.
pub(crate) struct HeldStore {
    inner: Arc<RedisStore>,
    hold: Arc<Hold>,
}

impl HeldStore {
    pub(crate) fn new(inner: RedisStore, hold: Arc<Hold>) -> Self {
        let inner = Arc::new(inner);
        Self { inner, hold }
    }

    /// Sends a verb, holds before anybody hears the reply, and then tells it.
    async fn sent<T: Send + 'static>(
        &self,
        point: Point,
        verb: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        if !self.hold.is_at(point) {
            return verb.await;
        }
        let sent = tokio::spawn(verb);
        tokio::task::yield_now().await;
        self.hold.reached(point).await;
        sent.await
            .map_err(|error| StoreError::Unavailable(error.into()))?
    }
}

impl FlowStore for HeldStore {
    fn epoch(&self) -> Reply<'_, Epoch> {
        self.inner.epoch()
    }

    fn look(&self, flow: FlowKey, look: Look) -> Reply<'_, Looked> {
        Box::pin(async move {
            self.hold.reached(Point::Look).await;
            self.inner.look(flow, look).await
        })
    }

    fn claim(&self, flow: FlowKey, claim: Claim) -> Reply<'_, Claimed> {
        Box::pin(async move {
            self.hold.reached(Point::Claim).await;
            let inner = Arc::clone(&self.inner);
            self.sent(
                Point::ClaimSent,
                async move { inner.claim(flow, claim).await },
            )
            .await
        })
    }

    fn renew(&self, flow: FlowKey, renew: Renew) -> Reply<'_, Renewed> {
        self.inner.renew(flow, renew)
    }

    fn finish(&self, flow: FlowKey, finish: Finish) -> Reply<'_, Finished> {
        Box::pin(async move {
            self.hold.reached(Point::Finish).await;
            let inner = Arc::clone(&self.inner);
            let verb = async move { inner.finish(flow, finish).await };
            let finished = self.sent(Point::FinishSent, verb).await;
            self.hold.reached(Point::Finished).await;
            finished
        })
    }

    fn end(&self, flow: FlowKey, end: End) -> Reply<'_, EndedFlow> {
        self.inner.end(flow, end)
    }

    fn release(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Released> {
        self.inner.release(flow, id)
    }

    fn mark_lost(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Marked> {
        self.inner.mark_lost(flow, id)
    }

    fn find(&self, label: FlowLabel) -> Reply<'_, Option<Found>> {
        self.inner.find(label)
    }

    fn resolve(&self, flow: FlowKey, resolution: Resolution) -> Reply<'_, Resolved> {
        self.inner.resolve(flow, resolution)
    }
}
