//! The tools of the benchmark by hand, for these tools alone: the floor that the others are
//! measured against.
//!
//! It parses, checks what the specification has every server check of each request (version,
//! headers, the capability to be asked), opens and seals the state, and answers the bytes that mrtr
//! answers. It says nothing about what is wrong, and knows no second key, no caller and no limit.

mod plan;
mod quiz;
mod request;
mod state;

use std::io::Write as _;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;
use bench_setup::Setup;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, BufWriter};

use request::{Params, Request};
use state::Sealer;

/// What answers take: the `_meta` of each result.
const META: &str =
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"1.0.0"}}"#;

/// The server: a cipher, and a list of tools as text.
struct Floor {
    sealer: Sealer,
    list: String,
}

impl Floor {
    /// The answer to one message; over HTTP it has a head.
    fn answer(&self, message: &[u8], head: Option<&HeaderMap>) -> Option<Vec<u8>> {
        let request: Request<'_> = serde_json::from_slice(message).ok()?;
        if !request.is_right(head) {
            return None;
        }
        let mut out = Vec::with_capacity(1024);
        write!(out, r#"{{"jsonrpc":"2.0","id":{},"result":"#, request.id).ok()?;
        match (&*request.method, &request.params) {
            ("tools/list", _) => out.extend_from_slice(self.list.as_bytes()),
            ("tools/call", params) => self.call(params, &mut out)?,
            _ => return None,
        }
        out.push(b'}');
        Some(out)
    }

    fn call(&self, params: &Params<'_>, out: &mut Vec<u8>) -> Option<()> {
        // Both tools begin with a form.
        if !params.shows_forms() {
            return None;
        }
        match params.name.as_deref()? {
            "plan" => plan::call(&self.sealer, params, out),
            "quiz" => quiz::call(&self.sealer, params, out),
            _ => None,
        }
    }
}

/// Writes the result of a tool that is done.
fn done(out: &mut Vec<u8>, text: &str) -> Option<()> {
    out.extend_from_slice(br#"{"resultType":"complete","content":[{"type":"text","text":"#);
    serde_json::to_writer(&mut *out, text).ok()?;
    write!(out, "}}],{META}}}").ok()
}

/// Writes the result of a tool that asks; `schema` is the form.
fn asks(out: &mut Vec<u8>, key: &str, message: &str, schema: &str, state: &str) -> Option<()> {
    write!(
        out,
        r#"{{"resultType":"input_required","inputRequests":{{"{key}":"#
    )
    .ok()?;
    out.extend_from_slice(br#"{"method":"elicitation/create","params":{"mode":"form","message":"#);
    serde_json::to_writer(&mut *out, message).ok()?;
    write!(
        out,
        r#","requestedSchema":{schema}}}}}}},"requestState":"{state}",{META}}}"#
    )
    .ok()
}

async fn receive(
    State(floor): State<Arc<Floor>>,
    head: HeaderMap,
    body: Bytes,
) -> impl IntoResponse {
    let answer = floor.answer(&body, Some(&head)).unwrap_or_default();
    ([(CONTENT_TYPE, "application/json")], answer)
}

async fn serve_http(floor: Floor, port: u16) -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    let router = Router::new().route("/mcp", post(receive));
    axum::serve(listener, router.with_state(Arc::new(floor))).await
}

/// Answers line by line: a loop is all that a server needs which never waits.
async fn serve_stdio(floor: &Floor) -> std::io::Result<()> {
    let mut lines = BufReader::with_capacity(1 << 16, tokio::io::stdin());
    let mut out = BufWriter::with_capacity(1 << 16, tokio::io::stdout());
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).await? > 0 {
        let mut answer = floor.answer(&line, None).unwrap_or_default();
        answer.push(b'\n');
        out.write_all(&answer).await?;
        line.clear();
        if lines.buffer().is_empty() {
            out.flush().await?;
        }
    }
    out.flush().await
}

fn main() {
    Setup::from_args().run(async |setup| {
        let list = setup.list.map(std::fs::read_to_string).transpose()?;
        let floor = Floor {
            sealer: Sealer::new(&bench_setup::KEY),
            list: list.unwrap_or_else(|| r#"{"tools":[]}"#.into()),
        };
        match setup.port {
            Some(port) => serve_http(floor, port).await?,
            None => serve_stdio(&floor).await?,
        }
        Ok(())
    });
}
