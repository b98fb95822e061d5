//! Random orders of many requests of a flow against the store in memory, with time and crowds.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use proptest::collection::vec;
use proptest::prelude::*;

use super::actor::{Actor, KEEP, LEASE};
use super::{ALL_RULES, ORIGIN, Seen, World, cont, violation};
use crate::flow::names::{ClaimId, Epoch, FlowKey};
use crate::flow::table::Event;
use crate::flow::verb::Claim;
use crate::flow::{FlowStore, MemoryStore};

const FLOW: FlowKey = FlowKey([7; 32]);

/// The store in memory, small, with a clock that the test moves.
struct Memory {
    store: MemoryStore,
    now: Arc<AtomicU64>,
    strangers: u32,
}

impl Memory {
    fn new() -> Self {
        let now = Arc::new(AtomicU64::new(0));
        let clock = Arc::clone(&now);
        let clock = move || Duration::from_millis(clock.load(Ordering::Relaxed));
        let store = MemoryStore::with_clock(clock).records(4).result_bytes(1);
        Self {
            store,
            now,
            strangers: 0,
        }
    }

    fn pass(&self, time: Duration) {
        let time = u64::try_from(time.as_millis()).unwrap();
        self.now.fetch_add(time, Ordering::Relaxed);
    }

    /// Somebody else's flow, which takes room until its short life is over.
    fn stranger(&mut self) {
        self.strangers += 1;
        let mut flow = [0; 32];
        flow[..4].copy_from_slice(&self.strangers.to_be_bytes());
        let claim = Claim {
            epoch: self.epoch(),
            id: ClaimId([0xaa; 16]),
            cont: cont('s'),
            origin: ORIGIN,
            lease: LEASE,
            keep: LEASE,
            takeover: false,
        };
        let claimed = self.store.claim(FlowKey(flow), claim).now_or_never();
        claimed.expect("the memory answers at once").unwrap();
    }
}

impl World for Memory {
    fn event<E: Event>(&mut self, event: E) -> E::Outcome {
        self.store.apply(FLOW, event).unwrap()
    }

    fn epoch(&self) -> Epoch {
        self.store
            .epoch()
            .now_or_never()
            .expect("the memory answers at once")
            .unwrap()
    }
}

/// What happens next: mostly with one of the requests.
#[derive(Debug, Clone, Copy)]
enum Next {
    Request { which: usize, action: usize },
    Time { tenths_of_a_lease: u32 },
    Stranger,
    Wipe,
}

fn next() -> impl Strategy<Value = Next> {
    prop_oneof![
        30 => (any::<usize>(), any::<usize>())
            .prop_map(|(which, action)| Next::Request { which, action }),
        5 => (0_u32..15).prop_map(|tenths_of_a_lease| Next::Time { tenths_of_a_lease }),
        3 => Just(Next::Stranger),
        1 => Just(Next::Wipe),
    ]
}

/// Whether each request agrees, and which of two answers it gives.
fn requests() -> impl Strategy<Value = Vec<(bool, bool)>> {
    vec((prop::bool::weighted(0.8), any::<bool>()), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn never_two_effects_and_no_effect_after_a_no(
        requests in requests(),
        order in vec(next(), 1..120),
    ) {
        let mut memory = Memory::new();
        let epoch = memory.epoch();
        let actor = |(number, (agrees, first)): (u8, (bool, bool))| {
            Actor::new(number, agrees, cont(if first { 'a' } else { 'b' }), false, epoch)
        };
        let mut actors: Vec<Actor> = (1..).zip(requests).map(actor).collect();
        let mut seen = Seen::default();
        let mut passed = Duration::ZERO;
        for next in order {
            match next {
                Next::Request { which, action } => {
                    let which = which % actors.len();
                    let actions = actors[which].actions(ALL_RULES);
                    if let Some(action) = actions.get(action % actions.len().max(1)) {
                        actors[which].act(*action, &mut memory, &mut seen, ALL_RULES);
                    }
                }
                // No state of the flow lives longer than its record, so no longer time may pass.
                Next::Time { tenths_of_a_lease } => {
                    let time = LEASE / 10 * tenths_of_a_lease;
                    if passed + time < KEEP {
                        passed += time;
                        memory.pass(time);
                    }
                }
                Next::Stranger => memory.stranger(),
                Next::Wipe => memory.store.wipe(),
            }
            prop_assert_eq!(violation(seen, &actors), None);
        }
    }
}
