//! What a server of its own serves: messages go straight to where they are answered.
//!
//! A router finds one handler among many by way of boxed layers, which takes as long as reading a
//! small message. Every other path is left to it, so that there is one answer to each.

use std::convert::Infallible;
use std::pin::Pin;

use axum::body::Body;
use axum::extract::State;
use futures_util::FutureExt;
use tower::{Service, service_fn};

use super::{PATH, Route, receive, routes};

type Answering = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

/// The service of each connection; it answers what the routes would.
pub(super) fn straight(
    route: Route,
) -> impl Service<
    http::Request<Body>,
    Response = http::Response<Body>,
    Error = Infallible,
    Future = Answering,
> + Clone {
    let mut others = routes(route.clone());
    service_fn(move |request: http::Request<Body>| -> Answering {
        if request.uri().path() != PATH {
            return Box::pin(others.call(request));
        }
        Box::pin(receive(State(route.clone()), request).map(Ok))
    })
}
