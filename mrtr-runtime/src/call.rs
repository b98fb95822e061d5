//! The call a handler runs for: everything but asking.

use std::fmt;
use std::sync::{Arc, OnceLock};

use mrtr_core::ident::{self, FlowId};
use mrtr_core::principal::Principal;
use mrtr_core::state::Root;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::handler::HandlerKind;
use crate::notify::{LogLevel, Notifier};
use crate::shared::Shared;

/// The call a handler runs for: progress, log, cancellation, flow and round.
///
/// It cannot ask, so it may live on after the commit and move into other tasks.
#[derive(Clone)]
pub struct Call(pub(crate) Arc<CallData>);

pub(crate) struct CallData {
    /// What kind of handler runs.
    pub(crate) kind: HandlerKind,
    /// The handler's name on the wire.
    pub(crate) handler: Arc<str>,
    /// The `arguments` member as JSON text; `None` reads as `{}`.
    pub(crate) arguments: Option<Box<str>>,
    /// The URI that is read, for a resource.
    pub(crate) uri: Option<Box<str>>,
    /// The request brought answers, with a state or without.
    pub(crate) answered: bool,
    /// The `_meta` member of the request as JSON text.
    pub(crate) meta: Option<Box<str>>,
    pub(crate) principal: Option<Principal>,
    #[cfg(feature = "http")]
    pub(crate) parts: Option<Arc<http::request::Parts>>,
    pub(crate) root: Root,
    pub(crate) round: u8,
    pub(crate) start: u64,
    pub(crate) notifier: Notifier,
    /// Made once somebody waits for it, or nobody waits for the call any more.
    pub(crate) cancelled: OnceLock<CancellationToken>,
    pub(crate) shared: Arc<Shared>,
}

impl Call {
    /// The name of the flow: the same in every round, safe to log.
    #[must_use]
    pub fn flow_id(&self) -> FlowId {
        ident::flow_id(&self.0.root)
    }

    /// The number of this request within the flow, from 1.
    #[must_use]
    pub fn round(&self) -> u8 {
        self.0.round
    }

    /// The authenticated caller, if there is one.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.0.principal.as_ref()
    }

    /// The handler's name on the wire.
    #[must_use]
    pub fn handler(&self) -> &str {
        &self.0.handler
    }

    /// The URI that is being read; `None` in tools and prompts.
    #[must_use]
    pub fn uri(&self) -> Option<&str> {
        self.0.uri.as_deref()
    }

    /// The request's `_meta` as JSON text, if it has one.
    ///
    /// It is the client's word and nothing binds it: it may be another one in every round.
    #[must_use]
    pub fn meta(&self) -> Option<&str> {
        self.0.meta.as_deref()
    }

    /// An idempotency key for this name: the same in all rounds, repeats and instances of the flow.
    #[must_use]
    pub fn key(&self, name: &str) -> String {
        ident::idempotency_key(&self.0.root, name)
    }

    /// Reports progress. Dropped unless the request brought a progress token and the number grew.
    pub async fn progress(&self, progress: f64, total: impl Into<Option<f64>>) {
        self.0.notifier.progress(progress, total.into(), None).await;
    }

    /// Reports progress with words for people.
    pub async fn progress_message(
        &self,
        progress: f64,
        total: impl Into<Option<f64>>,
        message: &str,
    ) {
        self.0
            .notifier
            .progress(progress, total.into(), Some(message))
            .await;
    }

    /// Sends the client a log message. Dropped unless the request asked for this level.
    ///
    /// Put no secrets, answers or personal data in it: the client may keep it.
    pub async fn log(&self, level: LogLevel, data: impl Serialize + Sync) {
        self.0.notifier.log(level, &self.0.handler, &data).await;
    }

    /// Resolves when the client has gone away or has cancelled the request.
    pub async fn cancelled(&self) {
        self.0.cancellation().cancelled().await;
    }

    /// Whether the client has gone away or has cancelled the request.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let token = self.0.cancelled.get();
        token.is_some_and(CancellationToken::is_cancelled)
    }
}

impl CallData {
    pub(crate) fn cancellation(&self) -> &CancellationToken {
        self.cancelled.get_or_init(CancellationToken::new)
    }
}

impl fmt::Debug for Call {
    /// Names and numbers only: arguments and the caller never reach a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("handler", &self.0.handler)
            .field("flow", &self.flow_id())
            .field("round", &self.0.round)
            .finish_non_exhaustive()
    }
}
