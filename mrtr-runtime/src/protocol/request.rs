//! A request as a transport hands it over: its head, its body, and who sent it.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
#[cfg(feature = "http")]
use http::request::Parts;
use mrtr_core::principal::Principal;
use mrtr_core::state::Root;

use crate::run::Live;
use crate::server::Registered;

use super::refusal::Refusal;

/// One message for [`Endpoint::handle`](crate::Endpoint::handle).
pub struct Request {
    pub(crate) head: Head,
    pub(crate) body: Bytes,
    pub(crate) principal: Option<Principal>,
}

/// Where a message came in.
pub(crate) enum Head {
    /// As a line: there are no headers.
    Line,
    /// As the body of an HTTP request.
    #[cfg(feature = "http")]
    Http(Arc<Parts>),
    /// By way of the official SDK, which has looked at the headers.
    #[cfg(feature = "legacy")]
    Passed(PassedHead),
}

/// What a request has that the SDK passes on, and others have not.
#[cfg(feature = "legacy")]
pub(crate) struct PassedHead {
    /// The way to the client, if it is one of the revisions whose clients are asked while the
    /// handler waits.
    pub(crate) live: Option<Arc<Live>>,
    /// What the flow's root is made from: session and request id. None where the same request
    /// cannot be known again.
    pub(crate) root: Option<Root>,
    /// The handler, where it is none of the server's own: a tool of the SDK's that asks.
    pub(crate) handler: Option<Arc<Registered>>,
    /// The head of the HTTP request that it came in, if any.
    #[cfg(feature = "http")]
    pub(crate) parts: Option<Arc<Parts>>,
}

impl Request {
    /// One line of a byte stream, without its line feed.
    pub fn line(body: impl Into<Bytes>) -> Self {
        Self {
            head: Head::Line,
            body: body.into(),
            principal: None,
        }
    }

    /// An HTTP POST.
    #[cfg(feature = "http")]
    pub fn http(parts: Parts, body: impl Into<Bytes>) -> Self {
        Self {
            head: Head::Http(Arc::new(parts)),
            body: body.into(),
            principal: None,
        }
    }

    /// Says who sent it, for a caller that has authenticated it already. The server's own
    /// `.principal(..)` resolver is not asked then.
    #[must_use]
    pub fn with_principal(mut self, principal: Principal) -> Self {
        self.principal = Some(principal);
        self
    }
}

impl fmt::Debug for Request {
    /// Says nothing of the body or the headers: they hold arguments, answers and tokens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

impl Head {
    /// Whether the rules about HTTP headers hold.
    pub(super) fn is_http(&self) -> bool {
        match self {
            Self::Line => false,
            #[cfg(feature = "http")]
            Self::Http(_) => true,
            #[cfg(feature = "legacy")]
            Self::Passed(_) => false,
        }
    }

    /// The way to a client that is asked while the handler waits, and the root of its flow.
    pub(super) fn live(&self) -> Option<(Arc<Live>, Option<Root>)> {
        match self {
            #[cfg(feature = "legacy")]
            Self::Passed(head) => head.live.clone().map(|live| (live, head.root)),
            _ => None,
        }
    }

    /// The handler that the request brings along.
    pub(super) fn handler(&self) -> Option<&Arc<Registered>> {
        match self {
            #[cfg(feature = "legacy")]
            Self::Passed(head) => head.handler.as_ref(),
            _ => None,
        }
    }

    /// The value of a header that may come once; a line has none.
    #[cfg_attr(
        not(feature = "http"),
        expect(unused_variables, reason = "a line has no headers")
    )]
    pub(super) fn header(&self, name: &str) -> Result<Option<&str>, Refusal> {
        match self {
            Self::Line => Ok(None),
            #[cfg(feature = "legacy")]
            Self::Passed(_) => Ok(None),
            #[cfg(feature = "http")]
            Self::Http(parts) => {
                let mut values = parts.headers.get_all(name).iter();
                let Some(value) = values.next() else {
                    return Ok(None);
                };
                if values.next().is_some() {
                    return Err(Refusal::header(format!("the header `{name}` occurs twice")));
                }
                let text = value.to_str().map_err(|_| {
                    Refusal::header(format!(
                        "the header `{name}` has characters that no header may have"
                    ))
                })?;
                Ok(Some(text.trim_matches([' ', '\t'])))
            }
        }
    }

    #[cfg(feature = "http")]
    pub(super) fn parts(&self) -> Option<&Arc<Parts>> {
        match self {
            Self::Line => None,
            Self::Http(parts) => Some(parts),
            #[cfg(feature = "legacy")]
            Self::Passed(head) => head.parts.as_ref(),
        }
    }
}
