//! The flow store in the memory of one process.

use std::fmt;
use std::future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::names::{ClaimId, Epoch, FlowKey, FlowLabel};
use super::shelf::{Capacity, Shelf};
use super::store::{FlowStore, Reply, StoreError};
use super::table::{Event, MarkLost, Release};
use super::verb::{
    Claim, Claimed, End, EndedFlow, Finish, Finished, Found, Look, Looked, Marked, Released, Renew,
    Renewed, Resolution, Resolved,
};

/// The time since some beginning; it never goes back.
type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The flow store in the memory of one process.
///
/// It makes effects happen once for as long as the process lives. With a configured key, states
/// outlive the process and its records: a restart then refuses the flows in flight of handlers
/// that commit, and a second instance refuses those of the first. Use a shared store there.
///
/// It is bounded and never forgets a record before its time: when it is full it refuses. What it
/// may drop, oldest first, is the recorded results.
pub struct MemoryStore {
    clock: Clock,
    inner: Mutex<Inner>,
}

struct Inner {
    /// Drawn when it is first asked for.
    epoch: Option<Epoch>,
    shelf: Shelf,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryStore {
    /// An empty store for 100,000 flows, 1,000 of one caller, and 64 MiB of results.
    #[must_use]
    pub fn new() -> Self {
        let start = Instant::now();
        Self::with_clock(move || start.elapsed())
    }

    /// An empty store that takes the time from here; it must never go back.
    #[must_use]
    pub fn with_clock(clock: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        let inner = Inner {
            epoch: None,
            shelf: Shelf::new(Capacity::default()),
        };
        Self {
            clock: Arc::new(clock),
            inner: Mutex::new(inner),
        }
    }

    /// How many flows it has room for.
    #[must_use]
    pub fn records(self, most: usize) -> Self {
        self.lock().shelf.capacity.records = most;
        self
    }

    /// How many flows of one caller it has room for.
    #[must_use]
    pub fn records_per_caller(self, most: usize) -> Self {
        self.lock().shelf.capacity.per_caller = most;
        self
    }

    /// How many bytes of results it keeps; above that the oldest ones go.
    #[must_use]
    pub fn result_bytes(self, most: usize) -> Self {
        self.lock().shelf.capacity.body_bytes = most;
        self
    }

    /// Forgets everything, as if the process had been started anew. For tests of such a loss.
    #[cfg(any(test, feature = "testing"))]
    pub fn wipe(&self) {
        let mut inner = self.lock();
        let capacity = inner.shelf.capacity;
        *inner = Inner {
            epoch: None,
            shelf: Shelf::new(capacity),
        };
    }

    /// The store's insides. Each change of them is complete before anything could panic.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets an event happen to a flow.
    pub(super) fn apply<E: Event>(
        &self,
        flow: FlowKey,
        event: E,
    ) -> Result<E::Outcome, StoreError> {
        let now = after_start(&self.clock);
        let mut inner = self.lock();
        let epoch = inner.epoch()?;
        Ok(inner.shelf.apply(flow, event, now, epoch))
    }

    fn reply<E>(&self, flow: FlowKey, event: E) -> Reply<'_, E::Outcome>
    where
        E: Event<Outcome: Send + 'static> + Send + 'static,
    {
        // A verb does nothing before it is polled, as with a store behind a network.
        Box::pin(async move { self.apply(flow, event) })
    }
}

fn after_start(clock: &Clock) -> u64 {
    u64::try_from(clock().as_millis()).unwrap_or(u64::MAX)
}

impl Inner {
    fn epoch(&mut self) -> Result<Epoch, StoreError> {
        if let Some(epoch) = self.epoch {
            return Ok(epoch);
        }
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|_| StoreError::NoEntropy)?;
        Ok(*self.epoch.insert(Epoch(bytes)))
    }
}

impl FlowStore for MemoryStore {
    fn epoch(&self) -> Reply<'_, Epoch> {
        Box::pin(async { self.lock().epoch() })
    }

    fn look(&self, flow: FlowKey, look: Look) -> Reply<'_, Looked> {
        self.reply(flow, look)
    }

    fn claim(&self, flow: FlowKey, claim: Claim) -> Reply<'_, Claimed> {
        self.reply(flow, claim)
    }

    fn renew(&self, flow: FlowKey, renew: Renew) -> Reply<'_, Renewed> {
        self.reply(flow, renew)
    }

    fn finish(&self, flow: FlowKey, finish: Finish) -> Reply<'_, Finished> {
        self.reply(flow, finish)
    }

    fn end(&self, flow: FlowKey, end: End) -> Reply<'_, EndedFlow> {
        self.reply(flow, end)
    }

    fn release(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Released> {
        self.reply(flow, Release(id))
    }

    fn mark_lost(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Marked> {
        self.reply(flow, MarkLost(id))
    }

    fn find(&self, label: FlowLabel) -> Reply<'_, Option<Found>> {
        let now = after_start(&self.clock);
        Box::pin(future::ready(Ok(self.lock().shelf.find(label, now))))
    }

    fn resolve(&self, flow: FlowKey, resolution: Resolution) -> Reply<'_, Resolved> {
        self.reply(flow, resolution)
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = self.lock();
        f.debug_struct("MemoryStore")
            .field("epoch", &inner.epoch)
            .field("records", &inner.shelf.len())
            .field("capacity", &inner.shelf.capacity)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::conform::{Subject, conform};
    use super::*;

    /// A store whose time only moves when the test says so.
    #[derive(Default)]
    struct InMemory(Arc<AtomicU64>);

    impl Subject for InMemory {
        type Store = MemoryStore;

        async fn empty(&self, records: usize, per_caller: usize) -> MemoryStore {
            let now = Arc::clone(&self.0);
            let clock = move || Duration::from_millis(now.load(Ordering::Relaxed));
            MemoryStore::with_clock(clock)
                .records(records)
                .records_per_caller(per_caller)
        }

        async fn pass(&self, _store: &MemoryStore, time: Duration) {
            let time = u64::try_from(time.as_millis()).unwrap();
            self.0.fetch_add(time, Ordering::Relaxed);
        }

        async fn wipe(&self, store: &MemoryStore) {
            store.wipe();
        }
    }

    #[tokio::test]
    async fn it_is_the_table() {
        let compared = conform(&InMemory::default())
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(compared > 2_000, "only {compared} answers were compared");
    }

    #[tokio::test]
    async fn two_stores_have_two_epochs() {
        let (one, other) = (MemoryStore::new(), MemoryStore::new());
        assert_ne!(one.epoch().await.unwrap(), other.epoch().await.unwrap());
        assert_eq!(one.epoch().await.unwrap(), one.epoch().await.unwrap());
    }
}
