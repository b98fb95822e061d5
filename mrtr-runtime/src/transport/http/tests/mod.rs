//! The router as an HTTP client sees it: heads, statuses, media types, streams.

mod bodies;
mod callers;
mod door;
mod headers;
mod straight;
mod streams;

use std::convert::Infallible;

use axum::Router;
use axum::body::Body;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::{Service, ServiceExt};

use crate::fixture::{TestWorld, Traces, request, server};
use crate::server::Server;

pub(super) fn router_with(change: impl FnOnce(Server) -> Server) -> Router {
    let server = server(&TestWorld::new(), &Traces::default());
    change(server.allow_host("mcp.example.com"))
        .router()
        .unwrap()
}

pub(super) fn router() -> Router {
    router_with(|server| server)
}

/// An HTTP request with all the headers that its body asks for.
pub(super) fn post(body: &Value) -> Request<Body> {
    let method = body["method"].as_str().unwrap_or_default();
    let mut request = Request::post("/mcp")
        .header("host", "localhost:8080")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if let Some(name) = body["params"]["name"].as_str() {
        request = request.header("mcp-name", name);
    }
    request.body(Body::from(body.to_string())).unwrap()
}

/// The same with headers changed: a value replaces, `None` removes.
pub(super) fn post_with(body: &Value, changes: &[(&'static str, Option<&str>)]) -> Request<Body> {
    let mut request = post(body);
    for (name, value) in changes {
        request.headers_mut().remove(*name);
        if let Some(value) = value {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
    }
    request
}

pub(super) struct Got {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) text: String,
}

impl Got {
    pub(super) fn json(&self) -> Value {
        assert_eq!(self.headers["content-type"], "application/json");
        serde_json::from_str(&self.text).unwrap()
    }

    pub(super) fn code(&self) -> i64 {
        self.json()["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("{}", self.text))
    }
}

pub(super) async fn send<S>(service: &S, request: Request<Body>) -> Got
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone,
{
    let (parts, body) = service.clone().oneshot(request).await.unwrap().into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    Got {
        status: parts.status,
        headers: parts.headers,
        text: String::from_utf8(bytes.to_vec()).unwrap(),
    }
}

pub(super) fn discover() -> Value {
    request(1, "server/discover", json!({}))
}
