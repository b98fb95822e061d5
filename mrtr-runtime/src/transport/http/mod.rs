//! Streamable HTTP: an axum router, and the order in which a request is let in.
//!
//! Source: MCP 2026-07-28, basic/transports/streamable-http. Door, verb and media type come first,
//! then the caller, and only then is the body read.

mod authenticate;
mod door;
mod resource;
mod serve;
mod sse;
mod straight;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::State;
use axum::routing::{any, get};
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use http::{HeaderValue, Method, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use mrtr_core::principal::Principal;

use crate::error::{INVALID_REQUEST, PARSE_ERROR, RpcError};
#[cfg(feature = "legacy")]
use crate::legacy::Sessions;
use crate::protocol::{Head, Refusal, Reply, Response};
use crate::server::Endpoint;

pub(crate) use authenticate::Resolver;
pub use authenticate::{AuthError, Authenticate};
pub(crate) use door::Door;
pub(crate) use resource::{Resource, ResourceSettings};
pub(crate) use serve::serve;

/// Where messages are sent to.
const PATH: &str = "/mcp";
/// How long a client may take to send its body.
const BODY_TIME: Duration = Duration::from_secs(30);
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// What the routes share.
#[derive(Clone)]
struct Route {
    endpoint: Endpoint,
    #[cfg(feature = "legacy")]
    sessions: Arc<Sessions>,
}

impl Route {
    fn new(endpoint: &Endpoint) -> Self {
        Self {
            endpoint: endpoint.clone(),
            #[cfg(feature = "legacy")]
            sessions: Sessions::new(&endpoint.0),
        }
    }
}

/// The routes of an endpoint.
pub(crate) fn router(endpoint: &Endpoint) -> Router {
    routes(Route::new(endpoint))
}

fn routes(route: Route) -> Router {
    let endpoint = &route.endpoint;
    let mut router = Router::new().route(PATH, any(receive));
    if let Some(resource) = &endpoint.0.gate.resource {
        for path in &resource.paths {
            router = router.route(path, get(metadata));
        }
    }
    router.with_state(route)
}

/// Answers a POST that a program hands over whole.
pub(crate) async fn handle(
    endpoint: &Endpoint,
    parts: &Arc<Parts>,
    body: &[u8],
    principal: Option<Principal>,
) -> Response {
    let admitted = async {
        admit(endpoint, parts)?;
        let caller = match principal {
            Some(principal) => Some(principal),
            None => caller(endpoint, parts).await?,
        };
        if body.len() > endpoint.0.max_body {
            return Err(too_large(endpoint));
        }
        Ok(caller)
    };
    match admitted.await {
        Ok(caller) => {
            endpoint
                .answer(&Head::Http(Arc::clone(parts)), body, caller)
                .await
        }
        Err(refusal) => Response::Json(Reply::refused(None, refusal)),
    }
}

async fn receive(State(route): State<Route>, request: http::Request<Body>) -> http::Response<Body> {
    let (parts, body) = request.into_parts();
    let parts = Arc::new(parts);
    let endpoint = &route.endpoint;
    // What sessions do is boxed: it would make the future of every request many times as large.
    #[cfg(feature = "legacy")]
    if Sessions::concerns(&parts) {
        return Box::pin(session(&route, &parts)).await;
    }
    let received = async {
        admit(endpoint, &parts)?;
        let caller = caller(endpoint, &parts).await?;
        Ok::<_, Refusal>((caller, read(endpoint, body).await?))
    };
    let response = match received.await {
        #[cfg(feature = "legacy")]
        Ok((caller, body)) if route.sessions.owns(&parts, &body) => {
            return answered(Box::pin(route.sessions.answer(&parts, body, caller)).await);
        }
        Ok((caller, body)) => endpoint.answer(&Head::Http(parts), &body, caller).await,
        Err(refusal) => Response::Json(Reply::refused(None, refusal)),
    };
    respond(response)
}

/// Answers a GET or DELETE that is about a session.
#[cfg(feature = "legacy")]
async fn session(route: &Route, parts: &Arc<Parts>) -> http::Response<Body> {
    let answering = async {
        open_door(&route.endpoint, parts)?;
        let caller = caller(&route.endpoint, parts).await?;
        route.sessions.answer(parts, Bytes::new(), caller).await
    };
    answered(answering.await)
}

#[cfg(feature = "legacy")]
fn answered(answer: Result<http::Response<Body>, Refusal>) -> http::Response<Body> {
    answer.unwrap_or_else(|refusal| respond(Response::Json(Reply::refused(None, refusal))))
}

/// What can be seen without looking at the caller or the body.
fn admit(endpoint: &Endpoint, parts: &Parts) -> Result<(), Refusal> {
    open_door(endpoint, parts)?;
    if parts.method != Method::POST {
        let error = RpcError::new(INVALID_REQUEST, "only POST is served here");
        return Err(Refusal {
            headers: vec![("allow", "POST".into())],
            ..Refusal::new(405, error)
        });
    }
    let media_type = parts
        .headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let media_type = media_type
        .and_then(|value| value.split(';').next())
        .map(str::trim);
    if !media_type.is_some_and(|value| value.eq_ignore_ascii_case("application/json")) {
        let error = RpcError::new(INVALID_REQUEST, "the content type must be application/json");
        return Err(Refusal::new(415, error));
    }
    Ok(())
}

fn open_door(endpoint: &Endpoint, parts: &Parts) -> Result<(), Refusal> {
    endpoint.0.gate.door.admits(parts).map_err(|shut| {
        let now = endpoint.0.shared.world.now();
        if let Some(skipped) = endpoint.0.refusals.admit(now) {
            tracing::warn!(reason = %shut, skipped, "a request was refused at the door");
        }
        Refusal::new(403, RpcError::new(INVALID_REQUEST, shut.told()))
    })
}

/// Who sends the request.
pub(crate) async fn caller(
    endpoint: &Endpoint,
    parts: &Arc<Parts>,
) -> Result<Option<Principal>, Refusal> {
    let gate = &endpoint.0.gate;
    let caller = match &gate.resolver {
        None => None,
        Some(resolver) => resolver
            .resolve(parts)
            .await
            .map_err(|error| error.refusal(gate, parts))?,
    };
    if caller.is_none() && endpoint.0.require_principal {
        return Err(Refusal::unauthorized(gate.challenge()));
    }
    Ok(caller)
}

async fn read(endpoint: &Endpoint, body: Body) -> Result<Bytes, Refusal> {
    let mut collecting = pin!(whole(Limited::new(body, endpoint.0.max_body)));
    // Most bodies come with their head, so that there is nothing to wait for and no need of a timer.
    let collected = match poll_fn(|cx| Poll::Ready(collecting.as_mut().poll(cx))).await {
        Poll::Ready(collected) => Ok(collected),
        Poll::Pending => tokio::time::timeout(BODY_TIME, collecting).await,
    };
    match collected {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(endpoint)),
        Ok(Err(_)) => Err(Refusal::new(
            400,
            RpcError::new(PARSE_ERROR, "the body could not be read"),
        )),
        Err(_) => Err(Refusal::new(
            408,
            RpcError::new(PARSE_ERROR, "the body took too long to come"),
        )),
    }
}

/// All of a body. One that comes in one part, as most do, is taken as it is.
async fn whole(mut body: Limited<Body>) -> Result<Bytes, Box<dyn Error + Send + Sync>> {
    let first = match body.frame().await {
        Some(frame) => frame?.into_data().unwrap_or_default(),
        None => return Ok(Bytes::new()),
    };
    if body.is_end_stream() {
        return Ok(first);
    }
    let rest = body.collect().await?.to_bytes();
    Ok(if rest.is_empty() {
        first
    } else {
        [first, rest].concat().into()
    })
}

fn too_large(endpoint: &Endpoint) -> Refusal {
    let most = endpoint.0.max_body;
    let error = format!("the message is longer than {most} bytes");
    Refusal::new(413, RpcError::new(INVALID_REQUEST, error))
}

async fn metadata(
    State(Route { endpoint, .. }): State<Route>,
    request: http::Request<Body>,
) -> http::Response<Body> {
    let (parts, _) = request.into_parts();
    match (open_door(&endpoint, &parts), &endpoint.0.gate.resource) {
        (Ok(()), Some(resource)) => json(StatusCode::OK, resource.metadata.clone().into()),
        (Ok(()), None) => empty(StatusCode::NOT_FOUND),
        (Err(refusal), _) => respond(Response::Json(Reply::refused(None, refusal))),
    }
}

pub(crate) fn respond(response: Response) -> http::Response<Body> {
    match response {
        Response::Json(reply) => {
            let status =
                StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let mut response = json(status, reply.body.into());
            for (name, value) in reply.headers {
                if let Ok(value) = HeaderValue::try_from(value) {
                    response.headers_mut().insert(name, value);
                }
            }
            response
        }
        Response::Events(events) => sse::respond(events),
        Response::Accepted => empty(StatusCode::ACCEPTED),
        // The run was cancelled from elsewhere, as when the server ends.
        Response::Nothing => empty(StatusCode::SERVICE_UNAVAILABLE),
    }
}

fn json(status: StatusCode, body: Body) -> http::Response<Body> {
    let mut response = http::Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}

fn empty(status: StatusCode) -> http::Response<Body> {
    let mut response = http::Response::new(Body::empty());
    *response.status_mut() = status;
    response
}
