//! The questions of one call to the client of a session: requests of ours, and what becomes of them.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use mrtr_core::key::AskKey;
use mrtr_core::principal::Principal;
use mrtr_core::round::{OpenQuestion, Sent};
use rmcp::RoleServer;
use rmcp::model::{ClientResult, CustomRequest, ErrorCode, RequestId, ServerRequest};
use rmcp::service::{OriginatingRequestId, Peer, PeerRequestOptions, ServiceError};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::run::{LiveAnswer, LiveAsk};

use super::crowd::Crowd;
use super::revision::Revision;
use super::{form, sends};

/// What sampling clients answer with when the user refuses; the page on sampling suggests it.
const USER_REFUSED: i32 = -1;

/// What a question is to its handler, for a transport in the same process; it is not on the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) key: AskKey,
    /// The same for questions in flight together.
    pub(crate) round: u8,
}

/// The questions of one call.
pub(super) struct Exchange {
    pub(super) peer: Peer<RoleServer>,
    /// The client's request that the questions belong to.
    pub(super) call: RequestId,
    pub(super) revision: Revision,
    /// How long a question waits for its answer.
    pub(super) patience: Duration,
    /// How many questions may be in flight at once; one that is to be alone takes all places.
    pub(super) places: Semaphore,
    pub(super) most: u32,
    /// Keeps the caller's calls that wait from taking all the places of a server.
    pub(super) crowd: Arc<Crowd>,
    pub(super) caller: Option<Principal>,
}

/// What is said to a caller too many of whose calls wait.
const CROWDED: &str = "too many calls wait for answers already; answer or cancel one of them first";

impl Exchange {
    /// Asks what the call asks, in that order, until it asks no more and everything is settled.
    pub(super) async fn ask_all(self, first: LiveAsk, mut more: UnboundedReceiver<LiveAsk>) {
        let place = self.crowd.enter(self.caller.as_ref());
        if place.is_none() {
            tracing::warn!("{CROWDED}");
            let _ = first.answer.send(LiveAnswer::Nothing(CROWDED.into()));
            return;
        }
        let mut asking = FuturesUnordered::from_iter([self.ask(first)]);
        let mut goes_on = true;
        loop {
            tokio::select! {
                biased;
                next = more.recv(), if goes_on => match next {
                    Some(next) => asking.push(self.ask(next)),
                    None => goes_on = false,
                },
                Some(()) = asking.next() => {}
                else => return,
            }
        }
    }

    /// Asks, unless and until nobody waits for the answer any more.
    async fn ask(&self, ask: LiveAsk) {
        let LiveAsk { sent, mut answer } = ask;
        let wanted = if sent.alone { self.most } else { 1 };
        let _place = tokio::select! {
            place = self.places.acquire_many(wanted) => place,
            () = answer.closed() => return,
        };
        let request = match self.worded(&sent) {
            Ok(request) => request,
            Err(why) => {
                let key = sent.question.key.as_str();
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
                let _ = answer.send(failed(&error, self.patience));
                return;
            }
        };
        let id = serde_json::to_value(&handle.id).unwrap_or_default();
        tokio::select! {
            result = handle.await_response() => {
                let _ = answer.send(match result {
                    Ok(result) => answered(&result),
                    Err(error) => failed(&error, self.patience),
                });
            }
            () = answer.closed() => {
                sends::cancel(&self.peer, id, "the server does not need the answer any more").await;
            }
        }
    }

    /// The request as this revision words it, tied to the stream of the call.
    fn worded(&self, sent: &Sent) -> Result<ServerRequest, String> {
        let OpenQuestion { key, request } = &sent.question;
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
        custom.extensions.insert(Named {
            key: key.clone(),
            round: sent.round,
        });
        Ok(ServerRequest::CustomRequest(custom))
    }
}

fn failed(error: &ServiceError, patience: Duration) -> LiveAnswer {
    match error {
        ServiceError::McpError(error) if error.code == ErrorCode::METHOD_NOT_FOUND => {
            LiveAnswer::NotSupported
        }
        ServiceError::McpError(error) if error.code.0 == USER_REFUSED => LiveAnswer::Refused,
        ServiceError::McpError(error) => {
            LiveAnswer::Nothing(format!("the client answered with error {}", error.code.0))
        }
        ServiceError::Timeout { .. } => {
            let within = match patience.as_secs() {
                0 => format!("{} ms", patience.as_millis()),
                seconds => format!("{seconds} seconds"),
            };
            LiveAnswer::Nothing(format!("nobody answered within {within}"))
        }
        _ => LiveAnswer::Nothing("the connection was lost".into()),
    }
}

fn answered(result: &ClientResult) -> LiveAnswer {
    match serde_json::to_string(result) {
        Ok(text) => LiveAnswer::Result(text),
        Err(_) => LiveAnswer::Nothing("the answer could not be read".into()),
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::ErrorData;

    use super::*;

    #[test]
    fn what_is_no_answer_is_told_apart() {
        let of = |error| failed(&error, Duration::from_secs(7));
        let said = |code| {
            of(ServiceError::McpError(ErrorData::new(
                ErrorCode(code),
                "x",
                None,
            )))
        };
        assert!(matches!(said(-32601), LiveAnswer::NotSupported));
        assert!(matches!(said(-1), LiveAnswer::Refused));
        let timeout = ServiceError::Timeout {
            timeout: Duration::from_secs(7),
        };
        let cases = [
            (said(-32602), "the client answered with error -32602"),
            (of(timeout), "nobody answered within 7 seconds"),
            (of(ServiceError::TransportClosed), "the connection was lost"),
        ];
        for (answer, expected) in cases {
            let LiveAnswer::Nothing(why) = answer else {
                panic!("{answer:?} instead of {expected}");
            };
            assert_eq!(why, expected);
        }
    }
}
