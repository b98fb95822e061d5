//! Sessions on the HTTP route: which requests are a session's, and whose the session is.
//!
//! Source: MCP 2025-11-25, basic/transports, "Session Management". A session belongs to the caller
//! who opened it: its id alone opens nothing.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ::http::request::Parts;
use ::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::stream::{StreamExt, select_all};
use http_body_util::Full;
use mrtr_core::principal::Principal;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use crate::error::{INVALID_PARAMS, INVALID_REQUEST, RpcError};
use crate::protocol::{HANDSHAKE, MODERN, Refusal, Reply, Response};
use crate::server::Inner;
use crate::transport::http::respond;

use super::incoming::Examined;
use super::running::Running;
use super::session::{Caller, Session};
use super::shape::{self, Shape};

/// How many sessions one server keeps.
const MOST_SESSIONS: usize = 4096;
/// How many of them one caller has, so that nobody takes the places of all others.
const MOST_PER_CALLER: usize = 256;
const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// The sessions of one route.
pub(crate) struct Sessions {
    service: StreamableHttpService<Session, LocalSessionManager>,
    manager: Arc<LocalSessionManager>,
    /// Who opened each session.
    owners: Mutex<HashMap<String, Option<Principal>>>,
    running: Running,
    ending: CancellationToken,
}

impl Sessions {
    pub(crate) fn new(server: &Arc<Inner>) -> Arc<Self> {
        let ending = CancellationToken::new();
        let mut manager = LocalSessionManager::default();
        manager.session_config.keep_alive = Some(silence(server.ask_timeout));
        let manager = Arc::new(manager);
        // The door has looked at host and origin.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(server.max_body)
            .with_cancellation_token(ending.clone());
        let factory = Arc::clone(server);
        let service = StreamableHttpService::new(
            move || Ok(Session::new(&factory, None)),
            Arc::clone(&manager),
            config,
        );
        Arc::new(Self {
            service,
            manager,
            owners: Mutex::default(),
            running: Running::default(),
            ending,
        })
    }

    /// Ends all sessions.
    pub(crate) fn end(&self) {
        self.ending.cancel();
    }

    /// Whether a request without a body, GET or DELETE, is about a session.
    pub(crate) fn concerns(parts: &Parts) -> bool {
        (parts.method == Method::GET || parts.method == Method::DELETE)
            && parts.headers.contains_key(SESSION_ID)
    }

    /// Whether a POST belongs to a session. A request that names its version in `_meta` never does.
    pub(crate) fn owns(&self, parts: &Parts, body: &[u8]) -> bool {
        let version = parts
            .headers
            .get(VERSION)
            .and_then(|value| value.to_str().ok());
        let in_session = parts.headers.contains_key(SESSION_ID);
        if version == Some(MODERN) && !in_session {
            return false;
        }
        let shape = Shape::of(body);
        if shape.as_ref().is_some_and(Shape::is_modern) {
            return false;
        }
        let handshake = version.is_some_and(|version| HANDSHAKE.contains(&version));
        let opens = version.is_none() && shape.is_some_and(|shape| shape.is_initialize());
        in_session || handshake || opens
    }

    /// Answers a request of a session, or one that opens one.
    pub(crate) async fn answer(
        &self,
        parts: &Parts,
        body: Bytes,
        caller: Option<Principal>,
    ) -> Result<::http::Response<Body>, Refusal> {
        let named = match parts.headers.get(SESSION_ID) {
            None => None,
            Some(id) => Some(id.to_str().map_err(|_| not_found())?.to_owned()),
        };
        match &named {
            Some(id) if !self.is_owner(id, caller.as_ref()) => return Err(not_found()),
            Some(_) => {}
            None => self.may_open(&body, caller.as_ref()).await?,
        }
        if shape::is_batch(&body) {
            return self.batch(parts, &body, caller).await;
        }
        let examined = (parts.method == Method::POST).then(|| Examined::of(&body));
        let body = match examined {
            None | Some(Examined::Pass(Cow::Borrowed(_))) => body,
            Some(Examined::Pass(Cow::Owned(message))) => message.into(),
            Some(Examined::Refuse(reply)) => return Ok(refused(reply)),
        };
        let Some(response) = self.pass(parts, body, caller.clone()).await else {
            let error = "a request with this id is still running";
            return Err(Refusal::new(400, RpcError::new(INVALID_REQUEST, error)));
        };
        if named.is_none()
            && let Some(id) = response.headers().get(SESSION_ID)
            && let Ok(id) = id.to_str()
        {
            self.lock().insert(id.to_owned(), caller);
        }
        Ok(ended(&parts.method, response))
    }

    /// Passes a message on, unless it is a request that is being answered already.
    async fn pass(
        &self,
        parts: &Parts,
        body: Bytes,
        caller: Option<Principal>,
    ) -> Option<::http::Response<Body>> {
        let session = parts
            .headers
            .get(SESSION_ID)
            .and_then(|id| id.to_str().ok());
        let shape = Shape::of(&body);
        let request = shape.as_ref().and_then(Shape::request_id);
        let answering = match session.zip(request) {
            Some((session, id)) => Some(self.running.begin(session, id)?),
            None => None,
        };
        let mut request = ::http::Request::from_parts(parts.clone(), Full::new(body));
        request.extensions_mut().insert(Caller(caller));
        let response = self.service.handle(request).await.map(Body::new);
        Some(match answering {
            Some(answering) => answering.until_read(response),
            None => response,
        })
    }

    /// Batches came with 2025-03-26 and went with the next revision. Their messages are taken one
    /// by one, and their answers come on one stream.
    async fn batch(
        &self,
        parts: &Parts,
        body: &[u8],
        caller: Option<Principal>,
    ) -> Result<::http::Response<Body>, Refusal> {
        let wrong = |text: &str| Refusal::new(400, RpcError::new(INVALID_REQUEST, text));
        let version = parts.headers.get(VERSION).map(HeaderValue::as_bytes);
        if version.is_some_and(|version| version != b"2025-03-26") {
            return Err(wrong("this revision has no batches"));
        }
        let messages = shape::batch(body).ok_or_else(|| wrong("a batch is a list of messages"))?;
        let mut streams = Vec::new();
        for message in messages {
            let text = message.get().as_bytes();
            let body = match Examined::of(text) {
                Examined::Pass(message) => Bytes::copy_from_slice(&message),
                Examined::Refuse(reply) => {
                    streams.extend(reply.map(event));
                    continue;
                }
            };
            let Some(response) = self.pass(parts, body, caller.clone()).await else {
                // It is answered on this very stream, or on another one.
                continue;
            };
            // The answers of the others are on their way: a refusal is one more.
            match response.status() {
                StatusCode::ACCEPTED => {}
                StatusCode::OK => streams.push(response.into_body().into_data_stream()),
                status => streams.extend(not_taken(text, status).map(event)),
            }
        }
        let mut response = ::http::Response::new(Body::empty());
        if streams.is_empty() {
            *response.status_mut() = StatusCode::ACCEPTED;
        } else {
            *response.body_mut() = Body::from_stream(select_all(streams).boxed());
            let kind = HeaderValue::from_static("text/event-stream");
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
        }
        Ok(response)
    }

    fn is_owner(&self, id: &str, caller: Option<&Principal>) -> bool {
        let owners = self.lock();
        owners.get(id).is_some_and(|owner| owner.as_ref() == caller)
    }

    /// A request without a session may only open one.
    async fn may_open(&self, body: &[u8], caller: Option<&Principal>) -> Result<(), Refusal> {
        if !Shape::of(body).is_some_and(|shape| shape.is_initialize()) {
            let error = "the request belongs to no session: open one with `initialize` and send the `Mcp-Session-Id` of its response with every request";
            return Err(Refusal::new(400, RpcError::new(INVALID_REQUEST, error)));
        }
        if !is_handshake(body) {
            let versions = HANDSHAKE.join(", ");
            let error = format!(
                "`initialize` needs protocolVersion, capabilities and clientInfo; this server speaks {MODERN} without a handshake, and with one {versions}"
            );
            return Err(Refusal::new(400, RpcError::new(INVALID_PARAMS, error)));
        }
        // Sessions that have ended are forgotten when the next one opens.
        let running = self.manager.sessions.read().await;
        let count = running.len();
        let mut owners = self.lock();
        owners.retain(|id, _| running.contains_key(id.as_str()));
        let own = owners
            .values()
            .filter(|owner| caller.is_some() && owner.as_ref() == caller)
            .count();
        if count >= MOST_SESSIONS || own >= MOST_PER_CALLER {
            tracing::warn!(count, own, "a session was refused: there are too many");
            return Err(Refusal::busy());
        }
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Option<Principal>>> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to a request of a batch that the session did not take.
fn not_taken(message: &[u8], status: StatusCode) -> Option<Reply> {
    let shape = Shape::of(message)?;
    let id = shape.request_id()?;
    let error = format!("the session did not take the request: {status}");
    let refusal = Refusal::new(400, RpcError::new(INVALID_REQUEST, error));
    Some(Reply::refused(Some(id), refusal))
}

/// The answer to a message that the session is not given.
fn refused(reply: Option<Reply>) -> ::http::Response<Body> {
    respond(reply.map_or(Response::Accepted, Response::Json))
}

/// An answer as one event of a stream.
fn event(reply: Reply) -> BodyDataStream {
    let text = [b"data: ", &**reply.body(), b"\n\n"].concat();
    Body::from(text).into_data_stream()
}

/// Also the answer to somebody else's session: whether it exists is not told.
fn not_found() -> Refusal {
    let error = "there is no such session; open one with `initialize`";
    Refusal::new(404, RpcError::new(INVALID_REQUEST, error))
}

/// Whether the SDK reads it as a handshake; what it cannot read it answers in plain text.
fn is_handshake(body: &[u8]) -> bool {
    let Ok(ClientJsonRpcMessage::Request(request)) = serde_json::from_slice(body) else {
        return false;
    };
    matches!(request.request, ClientRequest::InitializeRequest(_))
}

/// The SDK answers the end of a session with 202, which the official Python client takes for a
/// failure: it knows 200 and 204 only.
fn ended<B>(method: &Method, mut response: ::http::Response<B>) -> ::http::Response<B> {
    if *method == Method::DELETE && response.status() == StatusCode::ACCEPTED {
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}

/// How long a session may be silent: longer than a question may wait for its answer.
fn silence(ask_timeout: Duration) -> Duration {
    ask_timeout
        .saturating_add(Duration::from_secs(300))
        .max(Duration::from_secs(1800))
}
