//! How many calls of each caller wait for answers, so that one caller cannot take all the places.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mrtr_core::principal::Principal;

/// The calls that wait for answers, by caller.
pub(crate) struct Crowd {
    waiting: Mutex<HashMap<Vec<u8>, usize>>,
    most: usize,
}

/// The place of a call that waits; dropping it leaves.
pub(super) struct Place {
    crowd: Arc<Crowd>,
    caller: Vec<u8>,
}

impl Crowd {
    /// Of the handlers that may run at once, one caller's may take a quarter with waiting.
    pub(crate) fn of(max_concurrent: usize) -> Arc<Self> {
        Arc::new(Self {
            waiting: Mutex::default(),
            most: (max_concurrent / 4).max(1),
        })
    }

    /// A place for a call of this caller, if there is one.
    pub(super) fn enter(self: &Arc<Self>, caller: Option<&Principal>) -> Option<Place> {
        let caller = Principal::encode(caller).into_owned();
        let mut waiting = self.lock();
        let count = waiting.entry(caller.clone()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        drop(waiting);
        Some(Place {
            crowd: Arc::clone(self),
            caller,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Vec<u8>, usize>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut waiting = self.crowd.lock();
        if let Some(count) = waiting.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                waiting.remove(&self.caller);
            }
        }
    }
}
