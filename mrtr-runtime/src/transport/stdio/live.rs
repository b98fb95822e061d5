//! The requests whose handlers run in tasks of their own, and what these say.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::task::AbortHandle;

use crate::protocol::IdKey;

/// The requests that are running, by their ids.
#[derive(Default)]
pub(super) struct Live(Mutex<HashMap<IdKey, Running>>);

pub(super) struct Running {
    /// Tells this request from an earlier one of the same id.
    pub(super) serial: u64,
    /// It goes on until somebody ends it.
    pub(super) endless: bool,
    /// Dropping its future cancels the handler, unless its commit has begun.
    pub(super) abort: AbortHandle,
}

/// A message on its way out.
pub(super) struct Outgoing {
    /// The running request it belongs to; other messages always go out.
    pub(super) request: Option<(IdKey, u64)>,
    pub(super) last: bool,
    /// Nothing, for a request that ends without an answer.
    pub(super) text: Option<Bytes>,
}

impl Live {
    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<IdKey, Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Aborts them all; what they have said and nobody has written yet is not said any more.
    pub(super) fn abort(&self) {
        for (_, running) in self.lock().drain() {
            running.abort.abort();
        }
    }

    /// Adds a message as a line, unless its request is not live any more: after a cancellation
    /// there is nothing to find.
    pub(super) fn put(&self, outgoing: Outgoing, lines: &mut Vec<u8>) {
        let admitted = outgoing
            .request
            .is_none_or(|request| self.admits(&request, outgoing.last));
        if let Some(text) = outgoing.text.filter(|_| admitted) {
            lines.extend_from_slice(&text);
            lines.push(b'\n');
        }
    }

    /// Whether a message for the request may still go out; the last one ends it.
    fn admits(&self, request: &(IdKey, u64), last: bool) -> bool {
        let mut live = self.lock();
        let admits = live
            .get(&request.0)
            .is_some_and(|running| running.serial == request.1);
        if admits && last {
            live.remove(&request.0);
        }
        admits
    }
}
