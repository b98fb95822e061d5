//! Which requests of the sessions on a route are being answered.
//!
//! The SDK finds the stream of a request by its id, so that a second request of the same id would
//! take the first one's answer away and leave its client waiting.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::http::Response;
use axum::body::Body;
use futures_util::StreamExt;

type Named = (Box<str>, Box<str>);

/// The requests whose answers somebody reads.
#[derive(Clone, Default)]
pub(super) struct Running(Arc<Mutex<HashSet<Named>>>);

/// A request that is being answered; it is over when this is dropped.
pub(super) struct Answering {
    running: Running,
    named: Named,
}

impl Running {
    /// Notes a request of a session, by its id as JSON text; `None` while it is being answered.
    pub(super) fn begin(&self, session: &str, id: &str) -> Option<Answering> {
        let named: Named = (session.into(), id.into());
        let begun = self.lock().insert(named.clone());
        begun.then(|| Answering {
            running: self.clone(),
            named,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<Named>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answering {
    /// Goes on until the response has been read, or nobody reads it any more.
    pub(super) fn until_read(self, response: Response<Body>) -> Response<Body> {
        response.map(|body| {
            let data = body.into_data_stream().map(move |chunk| {
                let _ = &self;
                chunk
            });
            Body::from_stream(data)
        })
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.running.lock().remove(&self.named);
    }
}
