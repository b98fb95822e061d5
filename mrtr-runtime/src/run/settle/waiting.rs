//! Waiting for a flow that another request is carrying out, within bounds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::flow::FlowKey;

/// How many requests may wait for one flow, and for all flows of a process.
const MOST: (usize, usize) = (8, 256);

/// How long one request waits at most.
const LONGEST: Duration = Duration::from_secs(30);

/// The pause between two looks, at first and at most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(25), Duration::from_millis(400));

/// Who waits for which flow.
#[derive(Default)]
pub(crate) struct Waiting(Mutex<HashMap<FlowKey, usize>>);

impl Waiting {
    /// A place to wait for a flow; it is taken with the first pause.
    pub(super) fn enter(self: &Arc<Self>, flow: FlowKey) -> Place {
        Place {
            waiting: Arc::clone(self),
            flow,
            taken: false,
            pause: PAUSE.0,
            waited: Duration::ZERO,
        }
    }
}

/// One request's place among those that wait.
pub(super) struct Place {
    waiting: Arc<Waiting>,
    flow: FlowKey,
    taken: bool,
    pause: Duration,
    waited: Duration,
}

impl Place {
    /// Waits a while; false when there is no room to wait, or it has been long enough.
    pub(super) async fn pause(&mut self) -> bool {
        if self.waited >= LONGEST || !(self.taken || self.take()) {
            return false;
        }
        tokio::time::sleep(self.pause).await;
        self.waited += self.pause;
        self.pause = (self.pause * 2).min(PAUSE.1);
        true
    }

    fn take(&mut self) -> bool {
        let mut flows = self
            .waiting
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let here = flows.get(&self.flow).copied().unwrap_or_default();
        let all: usize = flows.values().sum();
        self.taken = here < MOST.0 && all < MOST.1;
        if self.taken {
            flows.insert(self.flow, here + 1);
        }
        self.taken
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.taken {
            return;
        }
        let mut flows = self
            .waiting
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(here) = flows.get_mut(&self.flow) {
            *here -= 1;
            if *here == 0 {
                flows.remove(&self.flow);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn only_so_many_wait_and_only_so_long() {
        let waiting = Arc::new(Waiting::default());
        let flow = FlowKey([1; 32]);
        let mut places: Vec<_> = (0..9).map(|_| waiting.enter(flow)).collect();
        for place in &mut places[..8] {
            assert!(place.pause().await);
        }
        assert!(!places[8].pause().await);
        assert!(waiting.enter(FlowKey([2; 32])).pause().await);
        let start = tokio::time::Instant::now();
        while places[0].pause().await {}
        assert!((25..35).contains(&start.elapsed().as_secs()));
        drop(places);
        assert!(waiting.0.lock().unwrap().is_empty());
    }
}
