//! A layer that writes down every HTTP exchange: a line of JSON for the request, one for the head of
//! the response, and one for each part of its body.
//!
//! A part is in the file before it goes on, so that who has seen a response can read there how it
//! came.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use futures_util::TryStreamExt;
use serde_json::{Value, json};

/// The longest body; the server's own limit is lower.
const MOST: usize = 64 * 1024 * 1024;

/// The file, and how many exchanges have begun.
#[derive(Clone)]
struct Log(Arc<(Mutex<File>, AtomicU64)>);

/// The routes, with everything that passes them written into this file.
///
/// # Errors
/// When the file cannot be made.
pub(crate) fn recorded(router: Router, file: &Path) -> io::Result<Router> {
    let log = Log(Arc::new((
        Mutex::new(File::create(file)?),
        AtomicU64::new(0),
    )));
    Ok(router.layer(from_fn_with_state(log, record)))
}

async fn record(
    State(log): State<Log>,
    request: Request,
    next: Next,
) -> Result<Response, StatusCode> {
    let number = log.0.1.fetch_add(1, Ordering::Relaxed);
    let (head, body) = request.into_parts();
    let body = to_bytes(body, MOST)
        .await
        .map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
    log.write(&json!({ "exchange": number, "method": head.method.as_str(), "sent": text(&body) }));
    let response = next.run(Request::from_parts(head, body.into())).await;

    let (head, body) = response.into_parts();
    let kind = head.headers.get(header::CONTENT_TYPE);
    let kind = kind.map(|kind| String::from_utf8_lossy(kind.as_bytes()));
    log.write(&json!({ "exchange": number, "status": head.status.as_u16(), "contentType": kind }));
    let is_stream = kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
    let received = move |part: &Bytes| {
        log.write(&json!({ "exchange": number, "received": text(part) }));
    };
    let body = if is_stream {
        Body::from_stream(body.into_data_stream().inspect_ok(received))
    } else {
        let whole = to_bytes(body, MOST)
            .await
            .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
        received(&whole);
        whole.into()
    };
    Ok(Response::from_parts(head, body))
}

/// A part as text; what is none becomes a text that no judge takes for a message.
fn text(part: &[u8]) -> String {
    String::from_utf8(part.to_vec()).unwrap_or_else(|error| error.to_string())
}

impl Log {
    fn write(&self, line: &Value) {
        let mut file = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(file, "{line}").expect("the file for the exchanges can be written");
    }
}
