//! One request that the SDK has read, on its way through the functions that answer modern ones.

use std::sync::Arc;

use bytes::Bytes;
use mrtr_core::principal::Principal;
use mrtr_core::state::Root;
use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData};
use rmcp::service::RequestContext;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::protocol::{
    Accepted, Conversation, Head, MODERN, Message, PassedHead, Response, accept_request, read,
};
use crate::run::{Live, LiveAsk};
use crate::server::{Inner, Registered};

use super::exchange::Exchange;
use super::revision::Revision;
use super::{lower, sends};

/// A request on its way.
pub(super) struct Passed<'a> {
    pub(super) server: &'a Arc<Inner>,
    /// The request as a modern client would send it.
    pub(super) text: String,
    /// The client's revision, if its clients are asked while the handler waits.
    pub(super) older: Option<Revision>,
    /// The root of its flow, where the same request can be known again.
    pub(super) root: Option<Root>,
    /// The handler, where it is none of the server's own.
    pub(super) handler: Option<Arc<Registered>>,
    pub(super) caller: Option<Principal>,
    pub(super) context: &'a RequestContext<RoleServer>,
}

impl Passed<'_> {
    /// Answers it: the response as JSON text, or nothing if the request was cancelled.
    pub(super) async fn response(self) -> Option<Bytes> {
        let (live, questions) = Live::new();
        let head = Head::Passed(PassedHead {
            live: self.older.map(|_| live),
            root: self.root,
            handler: self.handler,
            #[cfg(feature = "http")]
            parts: (self.context.extensions)
                .get::<::http::request::Parts>()
                .cloned()
                .map(Arc::new),
        });
        let Ok(Message::Request(request)) = read(self.text.as_bytes()) else {
            tracing::error!("a request of our own could not be read");
            return None;
        };
        let caller = self.caller.clone();
        match accept_request(self.server, &head, request, self.caller) {
            Accepted::Answered(Response::Json(reply)) => Some(reply.body),
            Accepted::Answered(_) => None,
            Accepted::Running(conversation) => {
                // What is left of the way out belongs to the run.
                drop(head);
                let asking = self
                    .older
                    .map(|revision| exchange(self.server, revision, caller, self.context));
                run(conversation, asking, questions, self.context).await
            }
        }
    }
}

/// The questions of one call.
fn exchange(
    server: &Inner,
    revision: Revision,
    caller: Option<Principal>,
    context: &RequestContext<RoleServer>,
) -> Exchange {
    let most = server.shared.limits.asks;
    Exchange {
        peer: context.peer.clone(),
        call: context.id.clone(),
        revision,
        patience: server.ask_timeout,
        places: Semaphore::new(most),
        most: u32::try_from(most).unwrap_or(u32::MAX),
        crowd: Arc::clone(&server.crowd),
        caller,
    }
}

/// Runs a handler: sends what it asks and what it reports, until it ends or is cancelled.
async fn run(
    conversation: Box<Conversation>,
    exchange: Option<Exchange>,
    mut questions: UnboundedReceiver<LiveAsk>,
    context: &RequestContext<RoleServer>,
) -> Option<Bytes> {
    let asking = async move {
        if let Some(exchange) = exchange
            && let Some(first) = questions.recv().await
        {
            // In a task, so that a question is called off when the call is over, too.
            tokio::spawn(exchange.ask_all(first, questions));
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        body = converse(conversation, context) => body,
        () = asking => None,
        // Dropping the conversation cancels the handler, unless its commit has begun.
        () = context.ct.cancelled() => None,
    }
}

/// Passes notifications on; gives back the response.
async fn converse(
    conversation: Box<Conversation>,
    context: &RequestContext<RoleServer>,
) -> Option<Bytes> {
    match conversation.begin().await {
        Response::Json(reply) => Some(reply.body),
        Response::Events(mut events) => {
            while let Some(message) = events.next().await {
                if events.is_over() {
                    return Some(message);
                }
                if let Ok(notification) = serde_json::from_slice(&message) {
                    sends::notify(&context.peer, notification).await;
                }
            }
            None
        }
        Response::Accepted | Response::Nothing => None,
    }
}

/// A request of an older revision as a modern client would send it: what the handshake agreed on
/// stands in `_meta`.
pub(super) fn modern(
    method: &str,
    mut params: Map<String, Value>,
    context: &RequestContext<RoleServer>,
    capabilities: &Map<String, Value>,
    level: Option<&str>,
) -> String {
    // The members of later revisions mean nothing here.
    params.remove("inputResponses");
    params.remove("requestState");
    let mut meta = object(&context.meta);
    meta.retain(|name, _| !name.starts_with("io.modelcontextprotocol/"));
    let mut set = |name: &str, value: Value| {
        meta.insert(format!("io.modelcontextprotocol/{name}"), value);
    };
    set("protocolVersion", json!(MODERN));
    set("clientCapabilities", json!(capabilities));
    if let Some(level) = level {
        set("logLevel", json!(level));
    }
    params.insert("_meta".into(), meta.into());
    request(method, &params)
}

/// A request's text.
pub(super) fn request(method: &str, params: &Map<String, Value>) -> String {
    json!({"jsonrpc": "2.0", "id": 0, "method": method, "params": params}).to_string()
}

/// The result or error of a modern response, as an older revision has it.
pub(super) fn answer<T: DeserializeOwned>(
    revision: Revision,
    method: &str,
    body: Option<&[u8]>,
) -> Result<T, ErrorData> {
    let mut response = response(body)?;
    if let Some(error) = response.get("error") {
        let result = lower::error(revision, method, error)
            .map_err(|(code, message, data)| rpc_error(code, message, data))?;
        return typed(result);
    }
    typed(lower::result(revision, method, response["result"].take()))
}

/// A response as JSON.
pub(super) fn response(body: Option<&[u8]>) -> Result<Value, ErrorData> {
    body.and_then(|body| serde_json::from_slice(body).ok())
        .ok_or_else(internal)
}

pub(super) fn object(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

pub(super) fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| {
        tracing::error!(%error, "a result of our own was not understood by the SDK");
        internal()
    })
}

pub(super) fn rpc_error(code: i64, message: String, data: Option<Value>) -> ErrorData {
    let code = i32::try_from(code).map_or(ErrorCode::INTERNAL_ERROR, ErrorCode);
    ErrorData::new(code, message, data)
}

pub(super) fn internal() -> ErrorData {
    ErrorData::new(ErrorCode::INTERNAL_ERROR, "internal error", None)
}
