//! HTTP by hand: requests as bytes, so that they can be wrong in every way.

use std::net::SocketAddr;

use mrtr_wire::Judge;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An HTTP response, read to the end of the connection.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// Whether a header begins with this, in lower case.
    pub(crate) fn has_header(&self, line: &str) -> bool {
        self.head
            .lines()
            .any(|header| header.to_lowercase().starts_with(line))
    }
}

/// Sends a request as these bytes and reads the response; chunks are joined by hand.
pub(crate) async fn exchange(address: SocketAddr, request: &str) -> Reply {
    let mut stream = TcpStream::connect(address)
        .await
        .expect("the server listens");
    stream
        .write_all(request.as_bytes())
        .await
        .expect("the server reads");
    let mut bytes = Vec::new();
    stream
        .read_to_end(&mut bytes)
        .await
        .expect("the server answers and closes");
    let text = String::from_utf8(bytes).expect("UTF-8");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .expect("a status");
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked {
        dechunk(body)
    } else {
        body.to_owned()
    };
    Reply {
        status,
        head: head.to_owned(),
        body,
    }
}

/// Joins the chunks of a body.
fn dechunk(mut body: &str) -> String {
    let mut joined = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("a chunk's size");
        joined.push_str(&rest[..size]);
        body = rest[size..].trim_start_matches("\r\n");
    }
    joined
}

/// The headers that a client of the revision sends for a frame.
pub(crate) fn headers(frame: &Value) -> Vec<(String, String)> {
    let mut headers = vec![
        ("Host".to_owned(), "127.0.0.1".to_owned()),
        ("Connection".to_owned(), "close".to_owned()),
        ("Content-Type".to_owned(), "application/json".to_owned()),
        (
            "Accept".to_owned(),
            "application/json, text/event-stream".to_owned(),
        ),
        ("MCP-Protocol-Version".to_owned(), "2026-07-28".to_owned()),
        (
            "Mcp-Method".to_owned(),
            frame["method"].as_str().unwrap_or_default().to_owned(),
        ),
    ];
    if let Some(name) = frame["params"]["name"].as_str() {
        headers.push(("Mcp-Name".to_owned(), name.to_owned()));
    }
    headers
}

/// Posts a frame with these headers; a JSON answer is judged.
pub(crate) async fn post_with(
    address: SocketAddr,
    frame: &Value,
    headers: &[(String, String)],
) -> Reply {
    let body = frame.to_string();
    let headers: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let request = format!(
        "POST /mcp HTTP/1.1\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let reply = exchange(address, &request).await;
    if reply.has_header("content-type: application/json") && !reply.body.is_empty() {
        let mut judge = Judge::new();
        judge.sent(&body);
        let faults = judge.received(&reply.body);
        assert!(faults.is_empty(), "{faults:?} in {}", reply.body);
    }
    reply
}

/// Posts a frame as a client of the revision does.
pub(crate) async fn post(address: SocketAddr, frame: &Value) -> Reply {
    post_with(address, frame, &headers(frame)).await
}
