//! One subscription: the changes that wait to be told.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::Filter;

/// How many parts of subscribed resources may wait to be told; more become the whole.
const MOST_PARTS: usize = 256;

/// Something that has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    Tools,
    Prompts,
    Resources,
    Resource(Box<str>),
}

/// What a client wants to know, and what it has not been told yet.
pub(crate) struct Subscription {
    filter: Filter,
    pending: Mutex<Pending>,
    changed: Notify,
}

#[derive(Default)]
struct Pending {
    tools: bool,
    prompts: bool,
    resources: bool,
    uris: BTreeSet<Box<str>>,
}

impl Subscription {
    pub(super) fn new(filter: Filter) -> Self {
        Self {
            filter,
            pending: Mutex::default(),
            changed: Notify::new(),
        }
    }

    pub(super) fn filter(&self) -> &Filter {
        &self.filter
    }

    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a change, if the client wants to know.
    pub(super) fn note(&self, change: &Change) {
        let mut pending = self.lock();
        match change {
            Change::Tools if self.filter.tools => pending.tools = true,
            Change::Prompts if self.filter.prompts => pending.prompts = true,
            Change::Resources if self.filter.resources => pending.resources = true,
            Change::Resource(uri) => {
                let Some(covering) = self.filter.covering(uri) else {
                    return;
                };
                let whole = pending.uris.len() >= MOST_PARTS;
                let uri = if whole { covering.into() } else { uri.clone() };
                pending.uris.insert(uri);
            }
            Change::Tools | Change::Prompts | Change::Resources => return,
        }
        drop(pending);
        self.changed.notify_one();
    }

    /// The next change. Cancel safe: what is not given out stays.
    pub(super) async fn next(&self) -> Change {
        loop {
            let changed = self.changed.notified();
            if let Some(change) = self.lock().take() {
                return change;
            }
            changed.await;
        }
    }

    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.lock().uris.len()
    }
}

impl Pending {
    fn take(&mut self) -> Option<Change> {
        for (flag, change) in [
            (&mut self.tools, Change::Tools),
            (&mut self.prompts, Change::Prompts),
            (&mut self.resources, Change::Resources),
        ] {
            if std::mem::take(flag) {
                return Some(change);
            }
        }
        self.uris.pop_first().map(Change::Resource)
    }
}
