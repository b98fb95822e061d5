//! A built server: it takes requests and gives responses, as plain values.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::protocol::{Accepted, Head, Request, Response, accept};

use super::inner::Inner;

/// How long the flow store may take to hear of commits that are given up.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A built server. Cloning is cheap, and all clones are the same server.
#[derive(Clone)]
pub struct Endpoint(pub(crate) Arc<Inner>);

impl Endpoint {
    /// Answers one message.
    ///
    /// Dropping the future, or the events it gives, cancels the handler; from its commit on a
    /// handler goes on and only the reply is lost.
    pub async fn handle(&self, request: Request) -> Response {
        let Request {
            head,
            body,
            principal,
        } = request;
        #[cfg(feature = "http")]
        if let Head::Http(parts) = &head {
            return crate::transport::http::handle(self, parts, &body, principal).await;
        }
        let principal = principal.or_else(|| self.0.stdio_principal.clone());
        self.answer(&head, &body, principal).await
    }

    /// Answers a message whose sender has been let in.
    pub(crate) async fn answer(
        &self,
        head: &Head,
        body: &[u8],
        principal: Option<mrtr_core::principal::Principal>,
    ) -> Response {
        match accept(&self.0, head, body, principal) {
            Accepted::Answered(response) => response,
            Accepted::Running(conversation) => conversation.begin().await,
        }
    }

    /// Waits until no commit is running any more, at most as long as `grace`; says whether that
    /// was long enough. Call it before the process ends, after the last request was taken.
    ///
    /// Subscriptions are ended first. What is then still running is given up, and its flow's outcome is recorded as unknown.
    pub async fn drain(&self, grace: Duration) -> bool {
        self.0.changes.close();
        let shared = &self.0.shared;
        shared.tasks.close();
        let drained = tokio::time::timeout(grace, shared.tasks.wait())
            .await
            .is_ok();
        if !drained {
            let running = shared.tasks.len();
            tracing::error!(
                running,
                "the server ends while commits run, or while the flow store has yet to be told of one"
            );
            shared.lost.cancel();
            // The store is told in the moment that is left.
            let _ = tokio::time::timeout(LAST_WORDS, shared.tasks.wait()).await;
        }
        drained
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("tools", &self.0.tools.len())
            .finish_non_exhaustive()
    }
}
