//! One subscription: the changes that wait to be told.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mrtr_core::principal::Principal;
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

impl Change {
    /// The notification that tells of it.
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Tools => "notifications/tools/list_changed",
            Self::Prompts => "notifications/prompts/list_changed",
            Self::Resources => "notifications/resources/list_changed",
            Self::Resource(_) => "notifications/resources/updated",
        }
    }

    /// The one resource that it is about.
    pub(crate) fn uri(&self) -> Option<&str> {
        match self {
            Self::Resource(uri) => Some(uri),
            _ => None,
        }
    }
}

/// Who is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// No request asked for it: it came with a session of an older revision.
    #[cfg(feature = "legacy")]
    Session,
    /// Whoever nobody has authenticated.
    Anybody,
    /// This caller.
    Caller(Principal),
}

/// What a client wants to know, and what it has not been told yet.
pub(crate) struct Subscription {
    pub(super) whose: Whose,
    known: Mutex<Known>,
    changed: Notify,
}

struct Known {
    filter: Filter,
    pending: Pending,
}

#[derive(Default)]
struct Pending {
    tools: bool,
    prompts: bool,
    resources: bool,
    uris: BTreeSet<Box<str>>,
}

impl Subscription {
    pub(super) fn new(filter: Filter, whose: Whose) -> Self {
        let pending = Pending::default();
        Self {
            whose,
            known: Mutex::new(Known { filter, pending }),
            changed: Notify::new(),
        }
    }

    pub(super) fn filter(&self) -> Filter {
        self.lock().filter.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a URI, unless the client watches `most` already.
    #[cfg(feature = "legacy")]
    pub(super) fn watch(&self, uri: &str, most: usize) -> bool {
        let uris = &mut self.lock().filter.uris;
        if uris.iter().any(|watched| **watched == *uri) {
            return true;
        }
        let room = uris.len() < most;
        if room {
            uris.push(uri.into());
        }
        room
    }

    /// Takes a URI out, with what waits to be told of it alone.
    #[cfg(feature = "legacy")]
    pub(super) fn unwatch(&self, uri: &str) {
        let Known { filter, pending } = &mut *self.lock();
        filter.uris.retain(|watched| **watched != *uri);
        pending
            .uris
            .retain(|waiting| filter.covering(waiting).is_some());
    }

    /// Notes a change, if the client wants to know.
    pub(super) fn note(&self, change: &Change) {
        let mut known = self.lock();
        let Known { filter, pending } = &mut *known;
        match change {
            Change::Tools if filter.tools => pending.tools = true,
            Change::Prompts if filter.prompts => pending.prompts = true,
            Change::Resources if filter.resources => pending.resources = true,
            Change::Resource(uri) => {
                let Some(covering) = filter.covering(uri) else {
                    return;
                };
                let whole = pending.uris.len() >= MOST_PARTS;
                let uri = if whole { covering.into() } else { uri.clone() };
                pending.uris.insert(uri);
            }
            Change::Tools | Change::Prompts | Change::Resources => return,
        }
        drop(known);
        self.changed.notify_one();
    }

    /// The next change. Cancel safe: what is not given out stays.
    pub(super) async fn next(&self) -> Change {
        loop {
            let changed = self.changed.notified();
            if let Some(change) = self.lock().pending.take() {
                return change;
            }
            changed.await;
        }
    }

    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.lock().pending.uris.len()
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
