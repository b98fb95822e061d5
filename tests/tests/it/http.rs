//! The example server over Streamable HTTP, on a port of this machine.

use std::net::SocketAddr;

use mrtr::Server;
use mrtr::prelude::*;
use mrtr_examples::travel_desk;
use mrtr_tests::{accept, frame};
use mrtr_wire::Judge;
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::examples::protected;
use crate::stdio::play_all;

/// Serves on a free port until the test's runtime ends.
async fn serve(server: Server) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(server.serve_listener(listener));
    address
}

/// An HTTP response, read to the end of the connection.
#[derive(Debug)]
struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    fn has_header(&self, line: &str) -> bool {
        self.head
            .lines()
            .any(|header| header.to_lowercase().starts_with(line))
    }
}

/// Sends a request as these bytes and reads the response; chunks are joined by hand.
async fn exchange(address: SocketAddr, request: &str) -> Reply {
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
fn headers(frame: &Value) -> Vec<(String, String)> {
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
async fn post_with(address: SocketAddr, frame: &Value, headers: &[(String, String)]) -> Reply {
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

async fn post(address: SocketAddr, frame: &Value) -> Reply {
    post_with(address, frame, &headers(frame)).await
}

fn whoami() -> Value {
    frame(
        1,
        "tools/call",
        json!({ "name": "whoami", "arguments": {} }),
    )
}

#[tokio::test]
async fn the_official_client_is_served_over_http() {
    let address = serve(travel_desk::server()).await;
    play_all(|| StreamableHttpClientTransport::from_uri(format!("http://{address}/mcp"))).await;
}

#[tokio::test]
async fn a_flow_over_plain_http_is_one_response_a_request() {
    let address = serve(travel_desk::server()).await;
    let asked = post(address, &whoami()).await;
    assert_eq!(
        (
            asked.status,
            asked.has_header("content-type: application/json")
        ),
        (200, true),
        "{asked:?}"
    );
    let params = json!({
        "name": "whoami", "arguments": {},
        "requestState": asked.json()["result"]["requestState"],
        "inputResponses": { "who": accept(json!({ "name": "Ada" })) },
    });
    let end = post(address, &frame(2, "tools/call", params)).await;
    assert_eq!(
        (end.status, &end.json()["result"]["content"][0]["text"]),
        (200, &json!("Hello, Ada!"))
    );
}

#[tokio::test]
async fn what_is_wrong_with_a_request_has_its_status_and_code() {
    let address = serve(travel_desk::server()).await;
    let without = |name: &str| {
        headers(&whoami())
            .into_iter()
            .filter(|(header, _)| header != name)
            .collect::<Vec<_>>()
    };
    let with = |name: &str, value: &str| {
        let mut headers = without(name);
        headers.push((name.to_owned(), value.to_owned()));
        headers
    };
    let table = [
        (
            "no version header",
            without("MCP-Protocol-Version"),
            400,
            -32020,
        ),
        (
            "another version in the header",
            with("MCP-Protocol-Version", "2025-11-25"),
            400,
            -32020,
        ),
        ("no method header", without("Mcp-Method"), 400, -32020),
        (
            "another method in the header",
            with("Mcp-Method", "tools/list"),
            400,
            -32020,
        ),
        ("no name header", without("Mcp-Name"), 400, -32020),
        (
            "another name in the header",
            with("Mcp-Name", "book"),
            400,
            -32020,
        ),
    ];
    for (what, headers, status, code) in table {
        let reply = post_with(address, &whoami(), &headers).await;
        assert_eq!(
            (reply.status, &reply.json()["error"]["code"]),
            (status, &json!(code)),
            "{what}: {reply:?}"
        );
    }
    let mut unable = whoami();
    unable["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    let reply = post(address, &unable).await;
    assert_eq!(
        (reply.status, &reply.json()["error"]["code"]),
        (400, &json!(-32021)),
        "{reply:?}"
    );
    let unknown = post(address, &frame(1, "tools/frobnicate", json!({}))).await;
    assert_eq!(
        (unknown.status, &unknown.json()["error"]["code"]),
        (404, &json!(-32601))
    );
    let old = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let taken = post(address, &old).await;
    assert!([202, 400].contains(&taken.status), "{taken:?}");
}

#[tool]
async fn regional(#[arg(header = "Region")] region: Option<String>) -> String {
    region.unwrap_or_default()
}

#[tokio::test]
async fn a_mirrored_argument_and_its_header_must_say_the_same() {
    let address = serve(Server::new("mirrors", "1").tool(regional)).await;
    let call = |region: Value| {
        frame(
            1,
            "tools/call",
            json!({ "name": "regional", "arguments": { "region": region } }),
        )
    };
    let (eu, smile) = (call(json!("eu")), call(json!("☺")));
    let none = frame(
        1,
        "tools/call",
        json!({ "name": "regional", "arguments": {} }),
    );
    let table = [
        (&eu, Some("eu"), 200),
        (&smile, Some("=?base64?4pi6?="), 200),
        (&none, None, 200),
        (&eu, None, 400),
        (&eu, Some("us"), 400),
        (&none, Some("eu"), 400),
        (&smile, Some("=?base64?4pi?="), 400),
    ];
    for (frame, header, status) in table {
        let mut headers = headers(frame);
        headers.extend(header.map(|value| ("Mcp-Param-Region".to_owned(), value.to_owned())));
        let reply = post_with(address, frame, &headers).await;
        assert_eq!(reply.status, status, "{frame} {header:?}: {reply:?}");
        if status == 400 {
            assert_eq!(reply.json()["error"]["code"], -32020, "{reply:?}");
        }
    }
}

#[tokio::test]
async fn pages_of_other_origins_and_other_names_of_the_host_do_not_get_in() {
    let address = serve(travel_desk::server()).await;
    let with = |name: &str, value: &str| {
        let mut headers: Vec<_> = headers(&whoami())
            .into_iter()
            .filter(|(header, _)| header != name)
            .collect();
        headers.push((name.to_owned(), value.to_owned()));
        headers
    };
    for (headers, status) in [
        (with("Origin", "http://localhost:5173"), 200),
        (with("Origin", "https://evil.example"), 403),
        (with("Origin", "null"), 403),
        (with("Host", "localhost"), 200),
        (with("Host", "LOCALHOST.:80"), 200),
        (with("Host", "evil.example"), 403),
        (with("Host", "localhost.evil.example"), 403),
        (with("Content-Type", "text/plain"), 415),
    ] {
        let reply = post_with(address, &whoami(), &headers).await;
        assert_eq!(reply.status, status, "{headers:?}: {reply:?}");
        assert!(
            !reply.has_header("access-control-allow-origin"),
            "{reply:?}"
        );
    }
}

#[tokio::test]
async fn other_verbs_and_large_bodies_are_refused() {
    let address = serve(travel_desk::server().max_body(8192)).await;
    for verb in ["GET", "DELETE", "PUT"] {
        let request =
            format!("{verb} /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        let reply = exchange(address, &request).await;
        assert_eq!(
            (reply.status, reply.has_header("allow: ")),
            (405, true),
            "{verb}: {reply:?}"
        );
    }
    let mut large = whoami();
    large["params"]["arguments"] = json!({ "x": "y".repeat(10_000) });
    assert_eq!(post(address, &large).await.status, 413);
    assert_eq!(
        post(address, &whoami()).await.status,
        200,
        "and the server still serves"
    );
}

#[tokio::test]
async fn a_protected_server_says_where_to_sign_in_and_binds_states_to_the_caller() {
    let address = serve(protected::server()).await;
    let diary = |id, params: Value| {
        let mut all = json!({ "name": "read_diary", "arguments": {} });
        for (name, value) in params.as_object().into_iter().flatten() {
            all[name] = value.clone();
        }
        frame(id, "tools/call", all)
    };
    let send = async |frame: &Value, token: Option<&str>| {
        let mut headers = headers(frame);
        headers.extend(token.map(|token| ("Authorization".to_owned(), format!("Bearer {token}"))));
        post_with(address, frame, &headers).await
    };
    for token in [None, Some("eve-reads"), Some("nonsense")] {
        let reply = send(&diary(1, json!({})), token).await;
        assert_eq!(reply.status, 401, "{token:?}: {reply:?}");
        assert!(reply.has_header("www-authenticate: bearer"), "{reply:?}");
        assert!(
            reply.head.contains("/.well-known/oauth-protected-resource"),
            "{reply:?}"
        );
    }
    let reply = send(&diary(1, json!({})), Some("ada-sleeps")).await;
    assert_eq!(
        (reply.status, reply.head.contains("insufficient_scope")),
        (403, true),
        "{reply:?}"
    );

    let asked = send(&diary(1, json!({})), Some("ada-reads")).await;
    let next = json!({
        "requestState": asked.json()["result"]["requestState"],
        "inputResponses": { "day": accept(json!({ "value": "Monday" })) },
    });
    let stolen = send(&diary(2, next.clone()), Some("bob-reads")).await;
    assert_eq!(stolen.json()["error"]["code"], -32602, "{stolen:?}");
    let own = send(&diary(3, next), Some("ada-reads")).await;
    assert_eq!(
        own.json()["result"]["content"][0]["text"],
        "ada on Monday: nothing happened"
    );
}

#[tokio::test]
async fn the_metadata_of_a_protected_server_is_at_both_places() {
    let address = serve(protected::server()).await;
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
    ] {
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        let reply = exchange(address, &request).await;
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        assert_eq!(
            reply.json()["authorization_servers"],
            json!(["https://login.example.com"])
        );
        assert_eq!(reply.json()["resource"], "http://127.0.0.1:8080/mcp");
    }
}

#[tokio::test]
async fn a_public_listener_without_key_host_or_callers_is_not_built() {
    let error = travel_desk::server()
        .router()
        .expect_err("three things are missing")
        .to_string();
    for part in [
        "MRTR_KEYS",
        "allow_host",
        "`book` commits",
        "`trip` commits",
    ] {
        assert!(error.contains(part), "no {part:?} in {error}");
    }
    let built = travel_desk::server()
        .ephemeral_key()
        .allow_host("mcp.example.com")
        .allow_anonymous_commits();
    assert!(built.router().is_ok());
}
