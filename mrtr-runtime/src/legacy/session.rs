//! A session with one client: what the handshake agreed on, and its requests.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use mrtr_core::digest::Framed;
use mrtr_core::principal::Principal;
use mrtr_core::state::Root;
use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData, InitializeRequestParams, InitializeResult, RequestId};
use rmcp::service::{Peer, RequestContext};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use crate::error::INVALID_REQUEST;
use crate::protocol::{
    Accepted, Conversation, Head, MODERN, Message, Response, SessionHead, accept_request, read,
};
use crate::run::{Live, LiveAsk};
use crate::server::Inner;

use super::exchange::Exchange;
use super::revision::Revision;
use super::watch::Watch;
use super::{lower, sends};

/// A session, as `rmcp` serves it.
pub(super) struct Session {
    server: Arc<Inner>,
    /// Drawn at random, so that roots made from it are nobody else's.
    identity: Option<[u8; 16]>,
    agreed: OnceLock<Agreed>,
    /// The level that the client set; these revisions set it for the session.
    level: Mutex<String>,
    /// What it is told of changes, once it is open and if the server tells of any.
    watch: OnceLock<Option<Watch>>,
}

/// What the handshake agreed on.
struct Agreed {
    revision: Revision,
    /// What the client can be asked.
    capabilities: Map<String, Value>,
}

/// Who sent a request over HTTP, as the transport leaves it in the request's extensions.
#[cfg(feature = "http")]
#[derive(Clone)]
pub(super) struct Caller(pub(super) Option<Principal>);

impl Session {
    pub(super) fn new(server: &Arc<Inner>) -> Self {
        let mut identity = [0; 16];
        let drawn = server.shared.world.random(&mut identity);
        Self {
            server: Arc::clone(server),
            identity: drawn.ok().map(|()| identity),
            agreed: OnceLock::new(),
            // A client that says nothing hears what is worth knowing.
            level: Mutex::new("info".into()),
            watch: OnceLock::new(),
        }
    }

    /// Sets the level of log messages.
    pub(super) fn set(&self, level: String) {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = level;
    }

    /// What the client is told of changes; nothing, if the author never tells.
    pub(super) fn watch(&self, peer: &Peer<RoleServer>) -> Option<&Watch> {
        let start = || {
            let told = self.server.changes.is_taken();
            told.then(|| Watch::start(&self.server, peer.clone()))
        };
        self.watch.get_or_init(start).as_ref()
    }

    /// Agrees on a revision.
    pub(super) fn open(
        &self,
        client: &InitializeRequestParams,
    ) -> Result<InitializeResult, ErrorData> {
        let revision = Revision::agreed(client.protocol_version.as_str());
        let agreed = Agreed {
            revision,
            capabilities: revision.capabilities(object(&client.capabilities)),
        };
        if self.agreed.set(agreed).is_err() {
            let error = "the session is open already";
            return Err(rpc_error(INVALID_REQUEST.into(), error.into(), None));
        }
        let mut ours: Value = serde_json::from_str(&self.server.discovered).unwrap_or_default();
        let mut info = ours["_meta"]["io.modelcontextprotocol/serverInfo"].take();
        if let Some(info) = info.as_object_mut() {
            lower::server_info(revision, info);
        }
        let mut result = json!({
            "protocolVersion": revision.name(),
            "capabilities": revision.offers(object(&ours["capabilities"])),
            "serverInfo": info,
        });
        if let Some(instructions) = ours.get_mut("instructions") {
            result["instructions"] = instructions.take();
        }
        typed(result)
    }

    /// Answers a request with the function that answers it in the modern revision.
    pub(super) async fn serve<T: DeserializeOwned>(
        &self,
        method: &str,
        params: impl Serialize,
        context: RequestContext<RoleServer>,
    ) -> Result<T, ErrorData> {
        let Some(agreed) = self.agreed.get() else {
            let error = "the session is not open: send `initialize` first";
            return Err(rpc_error(INVALID_REQUEST.into(), error.into(), None));
        };
        let text = self.modern(agreed, method, object(&params), &context);
        let (live, questions) = Live::new();
        let head = Head::Session(SessionHead {
            live,
            root: self.root(&context.id),
            #[cfg(feature = "http")]
            parts: context
                .extensions
                .get::<::http::request::Parts>()
                .cloned()
                .map(Arc::new),
        });
        let Ok(Message::Request(request)) = read(text.as_bytes()) else {
            return Err(internal());
        };
        let caller = self.caller(&context);
        let body = match accept_request(&self.server, &head, request, caller) {
            Accepted::Answered(Response::Json(reply)) => Some(reply.body),
            Accepted::Answered(_) => None,
            Accepted::Running(conversation) => {
                // What is left of the way out belongs to the run.
                drop(head);
                self.run(agreed.revision, conversation, questions, &context)
                    .await
            }
        };
        answer(agreed.revision, method, body.as_deref())
    }

    /// The request as a modern client would send it: what the session knows stands in `_meta`.
    fn modern(
        &self,
        agreed: &Agreed,
        method: &str,
        mut params: Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> String {
        // The members of later revisions mean nothing here.
        params.remove("inputResponses");
        params.remove("requestState");
        let mut meta = object(&context.meta);
        meta.retain(|name, _| !name.starts_with("io.modelcontextprotocol/"));
        let level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, value) in [
            ("protocolVersion", json!(MODERN)),
            ("clientCapabilities", json!(agreed.capabilities)),
            ("logLevel", json!(*level)),
        ] {
            meta.insert(format!("io.modelcontextprotocol/{name}"), value);
        }
        params.insert("_meta".into(), meta.into());
        json!({"jsonrpc": "2.0", "id": 0, "method": method, "params": params}).to_string()
    }

    /// The root of the request's flow: a request that is sent again is the same flow.
    fn root(&self, id: &RequestId) -> Option<Root> {
        let typed = match id {
            RequestId::Number(number) => format!("n{number}"),
            RequestId::String(text) => format!("s{text}"),
        };
        let digest = Framed::new("mrtr v1 legacy")
            .part(&self.identity?)
            .part(typed.as_bytes())
            .finish();
        let mut root = [0; 16];
        root.copy_from_slice(&digest[..16]);
        Some(Root(root))
    }

    #[cfg_attr(
        not(feature = "http"),
        expect(unused_variables, reason = "only HTTP has callers")
    )]
    pub(super) fn caller(&self, context: &RequestContext<RoleServer>) -> Option<Principal> {
        #[cfg(feature = "http")]
        if let Some(parts) = context.extensions.get::<::http::request::Parts>() {
            return parts.extensions.get::<Caller>()?.0.clone();
        }
        self.server.stdio_principal.clone()
    }

    /// Runs a handler: sends what it asks and what it reports, until it ends or is cancelled.
    async fn run(
        &self,
        revision: Revision,
        conversation: Box<Conversation>,
        mut questions: tokio::sync::mpsc::UnboundedReceiver<LiveAsk>,
        context: &RequestContext<RoleServer>,
    ) -> Option<Bytes> {
        let most = self.server.shared.limits.asks;
        let exchange = Arc::new(Exchange {
            peer: context.peer.clone(),
            call: context.id.clone(),
            revision,
            patience: self.server.ask_timeout,
            places: Arc::new(Semaphore::new(most)),
            most: u32::try_from(most).unwrap_or(u32::MAX),
        });
        let asking = async {
            while let Some(question) = questions.recv().await {
                tokio::spawn(Arc::clone(&exchange).ask(question));
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

/// The result or error of a modern response, as the revision has it.
fn answer<T: DeserializeOwned>(
    revision: Revision,
    method: &str,
    body: Option<&[u8]>,
) -> Result<T, ErrorData> {
    let mut response: Value = body
        .and_then(|body| serde_json::from_slice(body).ok())
        .ok_or_else(internal)?;
    if let Some(error) = response.get("error") {
        let result = lower::error(method, error)
            .map_err(|(code, message, data)| rpc_error(code, message, data))?;
        return typed(result);
    }
    typed(lower::result(revision, method, response["result"].take()))
}

fn object(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| {
        tracing::error!(%error, "a result of our own was not understood by the SDK");
        internal()
    })
}

pub(super) fn rpc_error(code: i64, message: String, data: Option<Value>) -> ErrorData {
    let code = i32::try_from(code).map_or(ErrorCode::INTERNAL_ERROR, ErrorCode);
    ErrorData::new(code, message, data)
}

fn internal() -> ErrorData {
    ErrorData::new(ErrorCode::INTERNAL_ERROR, "internal error", None)
}
