//! Answering with an event stream: notifications, and the response as the last event.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

use crate::protocol::Events;

/// How long a stream may be silent before a comment keeps it open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The response. Nothing follows the last event; dropping the body cancels the handler.
pub(super) fn respond(events: Events) -> http::Response<Body> {
    let stream = stream::unfold(events, async |mut events| {
        let event = match tokio::time::timeout(KEEP_ALIVE, events.next()).await {
            Ok(Some(message)) => event(&message),
            Ok(None) => return None,
            Err(_) => Bytes::from_static(b": still working\n\n"),
        };
        Some((Ok::<_, Infallible>(event), events))
    });
    let mut response = http::Response::new(Body::from_stream(stream));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // Proxies that buffer would hold the events back until the end.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// One event. JSON text holds no line feeds, so one `data` line is enough.
fn event(message: &[u8]) -> Bytes {
    [b"event: message\ndata: ", message, b"\n\n"]
        .concat()
        .into()
}
