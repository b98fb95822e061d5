//! One question to the client of a session: a request of ours, and what becomes of it.

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientResult, CustomRequest, ErrorCode, RequestId, ServerRequest};
use rmcp::service::{OriginatingRequestId, Peer, PeerRequestOptions, ServiceError};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::run::{LiveAnswer, LiveAsk};

use super::revision::Revision;
use super::{form, sends};

/// What sampling clients answer with when the user refuses; the page on sampling suggests it.
const USER_REFUSED: i32 = -1;

/// The questions of one call.
pub(super) struct Exchange {
    pub(super) peer: Peer<RoleServer>,
    /// The client's request that the questions belong to.
    pub(super) call: RequestId,
    pub(super) revision: Revision,
    /// How long a question waits for its answer.
    pub(super) patience: Duration,
    /// How many questions may be in flight at once; one that is to be alone takes all places.
    pub(super) places: Arc<Semaphore>,
    pub(super) most: u32,
}

impl Exchange {
    /// Asks, unless and until nobody waits for the answer any more.
    pub(super) async fn ask(self: Arc<Self>, ask: LiveAsk) {
        let LiveAsk { sent, mut answer } = ask;
        let wanted = if sent.alone { self.most } else { 1 };
        let place = Arc::clone(&self.places).acquire_many_owned(wanted);
        let _place = tokio::select! {
            place = place => place,
            () = answer.closed() => return,
        };
        let key = sent.question.key.as_str();
        let request = match self.worded(&sent.question.request) {
            Ok(request) => request,
            Err(why) => {
                tracing::warn!(ask = key, %why, "a question cannot be shown");
                let _ = answer.send(LiveAnswer::CannotShow(why));
                return;
            }
        };
        let options = PeerRequestOptions::with_timeout(self.patience);
        let sending = self.peer.send_cancellable_request(request, options).await;
        let handle = match sending {
            Ok(handle) => handle,
            Err(error) => {
                let _ = answer.send(self.failed(&error));
                return;
            }
        };
        let id = serde_json::to_value(&handle.id).unwrap_or_default();
        tokio::select! {
            result = handle.await_response() => {
                let _ = answer.send(match result {
                    Ok(result) => answered(&result),
                    Err(error) => self.failed(&error),
                });
            }
            () = answer.closed() => {
                sends::cancel(&self.peer, id, "the server does not need the answer any more").await;
            }
        }
    }

    /// The request as this revision words it, tied to the stream of the call.
    fn worded(&self, request: &str) -> Result<ServerRequest, String> {
        let request: Value = serde_json::from_str(request).map_err(|error| error.to_string())?;
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(|error| error.to_string())?;
        let id = id
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>();
        let mut request = form::worded(request, self.revision, &id)?;
        let params = request.get_mut("params").map(Value::take);
        let method = request["method"].as_str().unwrap_or_default();
        let mut custom = CustomRequest::new(method, params);
        // The handler may run in a task of its own, where the SDK does not see which call it is.
        custom
            .extensions
            .insert(OriginatingRequestId(self.call.clone()));
        Ok(ServerRequest::CustomRequest(custom))
    }

    fn failed(&self, error: &ServiceError) -> LiveAnswer {
        match error {
            ServiceError::McpError(error) if error.code == ErrorCode::METHOD_NOT_FOUND => {
                LiveAnswer::NotSupported
            }
            ServiceError::McpError(error) if error.code.0 == USER_REFUSED => LiveAnswer::Refused,
            ServiceError::McpError(error) => {
                LiveAnswer::Nothing(format!("the client answered with error {}", error.code.0))
            }
            ServiceError::Timeout { .. } => {
                let seconds = self.patience.as_secs();
                LiveAnswer::Nothing(format!("nobody answered within {seconds} seconds"))
            }
            _ => LiveAnswer::Nothing("the connection was lost".into()),
        }
    }
}

fn answered(result: &ClientResult) -> LiveAnswer {
    match serde_json::to_string(result) {
        Ok(text) => LiveAnswer::Result(text),
        Err(_) => LiveAnswer::Nothing("the answer could not be read".into()),
    }
}
