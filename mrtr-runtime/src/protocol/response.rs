//! What a request is answered with, as plain values.

use std::fmt;

use bytes::Bytes;

use super::conversation::Conversation;
use super::encode;
use super::refusal::{Header, Refusal};

/// The answer to one message.
#[derive(Debug)]
#[non_exhaustive]
pub enum Response {
    /// One JSON object.
    Json(Reply),
    /// Notifications first, and the JSON-RPC response last. Dropping it cancels the handler.
    Events(Events),
    /// A notification was taken; there is no body.
    Accepted,
    /// Nothing is to be sent: the message wanted no answer, or its sender has cancelled it.
    Nothing,
}

/// A JSON-RPC response as one JSON object.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<Header>,
    pub(crate) body: Bytes,
}

impl Reply {
    pub(crate) fn ok(body: Bytes) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            body,
        }
    }

    /// A refusal, for the request with this id as JSON text.
    pub(crate) fn refused(id: Option<&str>, refusal: Refusal) -> Self {
        let body = encode::error(id, &refusal.error);
        Self {
            status: refusal.status,
            headers: refusal.headers,
            body,
        }
    }

    /// The HTTP status; without HTTP it means nothing.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.status
    }

    /// HTTP headers that go with it, beside its content type.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
    }

    /// The JSON text, without a line feed.
    #[must_use]
    pub fn body(&self) -> &Bytes {
        &self.body
    }
}

/// The messages of one request, one JSON object each: notifications and, last, the response.
pub struct Events {
    pub(super) first: Option<Bytes>,
    pub(super) rest: Box<Conversation>,
}

impl Events {
    /// Whether the response was given already.
    pub(crate) fn is_over(&self) -> bool {
        self.first.is_none() && self.rest.over
    }

    /// The next message; `None` after the response.
    ///
    /// Cancel safe: a message is never lost when the future is dropped.
    pub async fn next(&mut self) -> Option<Bytes> {
        match self.first.take() {
            Some(first) => Some(first),
            None => self.rest.next().await,
        }
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").finish_non_exhaustive()
    }
}
