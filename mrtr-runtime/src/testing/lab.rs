//! The time and the randomness of a test, and what was observed in it.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use mrtr_core::ident::{self, FlowId};
use mrtr_core::keyring::{Key, KeyRing};
use mrtr_core::state::Root;
use tokio::sync::Notify;

use crate::flow::MemoryStore;
use crate::observe::Event;
use crate::protocol::FIRST_DRAW;
use crate::world::{NoEntropy, System, World};

use super::observed::Observed;

/// The day of the revision: 2026-07-28, at midnight.
const START: u64 = 1_785_196_800_000;

tokio::task_local! {
    /// The exchange that the present task is polling. Handlers with a commit run in tasks of
    /// their own and see none.
    static EXCHANGE: Arc<Exchange>;
}

/// What all instances of the servers of one test share: clock, keys, flow store, and the log of events.
pub(super) struct Lab {
    now: Arc<AtomicU64>,
    ring: KeyRing,
    store: Arc<MemoryStore>,
    last: AtomicU64,
    log: Mutex<Vec<Logged>>,
    /// Somebody was told of an event.
    told: Notify,
}

struct Logged {
    exchange: Option<u64>,
    observed: Observed,
}

/// One request and its response.
pub(super) struct Exchange {
    number: u64,
    /// The root that the server drew for it, if it started a flow.
    root: OnceLock<Root>,
}

impl Exchange {
    /// The flow that the exchange started, if it did.
    pub(super) fn flow(&self) -> Option<FlowId> {
        self.root.get().map(ident::flow_id)
    }
}

impl Lab {
    pub(super) fn new() -> Self {
        // It protects nothing; a fixed one lets a state out of a failed test be opened later.
        let key = Key::from_bytes(&std::array::from_fn::<u8, 32, _>(|at| at as u8))
            .expect("invariant: 32 different bytes are a key");
        let now = Arc::new(AtomicU64::new(START));
        let clock = Arc::clone(&now);
        let elapsed = move || Duration::from_millis(clock.load(Ordering::SeqCst) - START);
        Self {
            now,
            ring: KeyRing::new([key]).expect("invariant: one key is a ring"),
            store: Arc::new(MemoryStore::with_clock(elapsed)),
            last: AtomicU64::new(0),
            log: Mutex::default(),
            told: Notify::new(),
        }
    }

    /// The keys of servers that bring none.
    pub(super) fn ring(&self) -> KeyRing {
        self.ring.clone()
    }

    /// The flow store of servers that bring none. It goes by the clock of the test.
    pub(super) fn store(&self) -> Arc<MemoryStore> {
        Arc::clone(&self.store)
    }

    /// Lets time pass.
    pub(super) fn advance(&self, time: Duration) {
        let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.now.fetch_add(ms, Ordering::SeqCst);
    }

    /// A number for the next exchange.
    fn next(&self) -> u64 {
        self.last.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Runs an exchange, so that what it draws and tells is known to be its own.
    pub(super) async fn exchange<T>(&self, work: impl Future<Output = T>) -> (T, Arc<Exchange>) {
        let exchange = Arc::new(Exchange {
            number: self.next(),
            root: OnceLock::new(),
        });
        let done = EXCHANGE.scope(Arc::clone(&exchange), work).await;
        (done, exchange)
    }

    /// Takes down what a server tells its observers.
    pub(super) fn note(&self, event: &Event<'_>) {
        let exchange = EXCHANGE.try_with(|exchange| exchange.number).ok();
        let observed = Observed::of(event);
        self.log().push(Logged { exchange, observed });
        self.told.notify_waiters();
    }

    /// Takes the events of an exchange and of its flow out of the log.
    pub(super) fn take(&self, exchange: &Exchange, flow: Option<FlowId>) -> Vec<Observed> {
        let mine = |logged: &mut Logged| match logged.exchange {
            Some(number) => number == exchange.number,
            None => flow.is_some() && logged.observed.flow == flow,
        };
        let taken = self.log().extract_if(.., mine).collect::<Vec<_>>();
        taken.into_iter().map(|logged| logged.observed).collect()
    }

    /// Takes the events of a flow whose exchange is the whole session out of the log.
    #[cfg(feature = "legacy")]
    pub(super) fn take_of(&self, flow: Option<FlowId>) -> Vec<Observed> {
        let mine = |logged: &mut Logged| flow.is_some() && logged.observed.flow == flow;
        let taken = self.log().extract_if(.., mine).collect::<Vec<_>>();
        taken.into_iter().map(|logged| logged.observed).collect()
    }

    /// Waits until something of this kind was told of the flow.
    pub(super) async fn told(&self, flow: FlowId, wanted: impl Fn(&Observed) -> bool) {
        loop {
            let told = self.told.notified();
            let found = self
                .log()
                .iter()
                .any(|logged| logged.observed.flow == Some(flow) && wanted(&logged.observed));
            if found {
                return;
            }
            told.await;
        }
    }

    fn log(&self) -> MutexGuard<'_, Vec<Logged>> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl World for Lab {
    fn now(&self) -> u64 {
        self.now.load(Ordering::SeqCst)
    }

    /// Randomness is the real one: flows of two tests that share a store must not meet.
    fn random(&self, buffer: &mut [u8]) -> Result<(), NoEntropy> {
        System.random(buffer)?;
        if let Some((root, _)) = buffer.split_first_chunk()
            && buffer.len() == FIRST_DRAW
        {
            let _ = EXCHANGE.try_with(|exchange| exchange.root.set(Root(*root)));
        }
        Ok(())
    }
}
