//! Requests of older revisions that no client sends: the same one again, and one without a session.

use axum::body::{Body, to_bytes};
use axum::http::{Request, Response};
use rmcp::transport::StreamableHttpServerConfig;
use serde_json::{Value, json};

use crate::world::{Service, World};

/// Posts a message as this user, in this session.
async fn post(
    service: &Service,
    user: &str,
    session: Option<&str>,
    message: Value,
) -> Response<Body> {
    let mut request = Request::post("http://localhost/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("x-user", user);
    if let Some(session) = session {
        request = request.header("mcp-session-id", session);
    }
    let body = Body::from(message.to_string());
    let request = request.body(body).expect("a request");
    service.handle(request).await.map(Body::new)
}

/// Opens a session of alice's; its id.
async fn open(service: &Service) -> String {
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}
    }});
    let opened = post(service, "alice", None, initialize).await;
    let session = opened.headers()["mcp-session-id"].to_str().expect("an id");
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    post(service, "alice", Some(session), initialized).await;
    session.to_owned()
}

/// Books as this user with this request id; the text of the result.
async fn book(service: &Service, session: &str, user: &str, id: u32) -> String {
    let response = post(service, user, Some(session), call(id, "book_at_once")).await;
    told(response).await
}

fn call(id: u32, tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": tool, "arguments": {}}})
}

/// The text of the result in a stream of events.
async fn told(response: Response<Body>) -> String {
    let body = to_bytes(response.into_body(), 1 << 20)
        .await
        .expect("a body");
    let text = String::from_utf8(body.to_vec()).expect("UTF-8");
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    let message: Option<Value> = data
        .filter_map(|data| serde_json::from_str(data).ok())
        .next_back();
    let message = message.unwrap_or_else(|| panic!("no message in {text}"));
    let result = message["result"]["content"][0]["text"].as_str();
    result
        .unwrap_or_else(|| panic!("no text in {message}"))
        .to_owned()
}

#[tokio::test]
async fn the_same_request_of_a_session_and_caller_is_the_same_flow() {
    let service = World::new().service();
    let session = open(&service).await;
    for (user, id, expected) in [
        ("alice", 1, "1 booked"),
        ("alice", 1, "1 booked"),
        ("alice", 2, "2 booked"),
        // rmcp lets bob into alice's session; her flows are still not his.
        ("bob", 1, "3 booked"),
    ] {
        let told = book(&service, &session, user, id).await;
        assert_eq!(told, expected, "{user} {id}");
    }
    let another = open(&service).await;
    assert_eq!(book(&service, &another, "alice", 1).await, "4 booked");
}

#[tokio::test]
async fn without_sessions_an_older_client_cannot_be_asked_and_is_told_so() {
    let config = StreamableHttpServerConfig::default().with_legacy_session_mode(false);
    let service = World::new().service_with(config);
    let response = post(&service, "alice", None, call(1, "feedback")).await;
    let told = told(response).await;
    assert!(told.contains("elicitation"), "{told}");
}
