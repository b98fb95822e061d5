//! Sessions on the HTTP route, beside modern requests.

use ::http::{Request, StatusCode};
use axum::Router;
use axum::body::Body;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::*;
use crate::Parts;
use crate::fixture::{principal, request};

/// A client by its token, with its session once there is one.
#[derive(Clone)]
pub(super) struct Client {
    router: Router,
    token: &'static str,
    session: Option<String>,
    version: Option<&'static str>,
}

/// A response whose events are read one by one.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    session: Option<String>,
    body: Body,
    read: String,
}

impl Answer {
    /// The next message of the stream, or the one JSON object.
    pub(super) async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data:"));
                let message = data.and_then(|data| serde_json::from_str(data).ok());
                self.read = rest.to_owned();
                if message.is_some() {
                    return message;
                }
                continue;
            }
            let frame = tokio::time::timeout(Duration::from_secs(20), self.body.frame());
            match frame.await.expect("in time") {
                Some(frame) => {
                    let bytes = frame.unwrap().into_data().unwrap();
                    self.read.push_str(std::str::from_utf8(&bytes).unwrap());
                }
                None => return serde_json::from_str(&std::mem::take(&mut self.read)).ok(),
            }
        }
    }

    pub(super) async fn only(mut self) -> Value {
        self.next().await.expect("a message")
    }
}

fn router(traces: &Traces) -> Router {
    router_of(legacy_server(traces))
}

pub(super) fn router_of(server: Server) -> Router {
    server
        .allow_host("mcp.example.com")
        .principal(async |parts: &Parts| {
            let token = parts.headers.get("authorization");
            Ok(token.map(|token| principal(token.to_str().unwrap())))
        })
        .router()
        .unwrap()
}

impl Client {
    fn new(router: &Router, token: &'static str) -> Self {
        Self {
            router: router.clone(),
            token,
            session: None,
            version: None,
        }
    }

    pub(super) async fn open(router: &Router, token: &'static str, revision: &'static str) -> Self {
        let mut client = Self::new(router, token);
        let mut opened = client.post(&initialize(revision)).await;
        assert_eq!(opened.status, 200);
        client.session = opened.session.take();
        client.version = (revision >= "2025-06-18").then_some(revision);
        let opened = opened.only().await;
        assert_eq!(opened["result"]["protocolVersion"], revision, "{opened}");
        assert_eq!(client.post(&initialized()).await.status, 202);
        client
    }

    pub(super) async fn post(&self, message: &Value) -> Answer {
        self.send("POST", &message.to_string()).await
    }

    pub(super) async fn ask(&self, message: &Value) -> Value {
        self.post(message).await.only().await
    }

    async fn send(&self, method: &str, body: &str) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri("/mcp")
            .header("host", "localhost:8080")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("authorization", self.token);
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        if let Some(version) = self.version {
            request = request.header("mcp-protocol-version", version);
        }
        let request = request.body(Body::from(body.to_owned())).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let session = response.headers().get("mcp-session-id");
        Answer {
            status: response.status(),
            session: session.map(|id| id.to_str().unwrap().to_owned()),
            body: response.into_body(),
            read: String::new(),
        }
    }
}

#[tokio::test]
async fn a_handler_asks_on_the_stream_of_its_call() {
    for revision in ["2025-11-25", "2025-06-18"] {
        let traces = traces();
        let client = Client::open(&router(&traces), "alice", revision).await;
        let mut stream = client.post(&how(1, "book")).await;
        assert_eq!(stream.status, 200);
        let question = stream.next().await.unwrap();
        assert_eq!(asked(&question), "Book it?");
        assert_eq!(
            question["params"].get("mode").is_some(),
            revision == "2025-11-25"
        );
        assert_eq!(client.post(&reply(&question, yes())).await.status, 202);
        assert_eq!(text(&stream.next().await.unwrap()), "booked 1");
        assert!(stream.next().await.is_none());
        assert_eq!(runs(&traces), (1, 1));
    }
}

#[tokio::test]
async fn a_session_belongs_to_who_opened_it() {
    let traces = traces();
    let router = router(&traces);
    let alice = Client::open(&router, "alice", "2025-11-25").await;
    let bob = Client {
        token: "bob",
        ..alice.clone()
    };
    let mut stream = alice.post(&how(1, "book")).await;
    let question = stream.next().await.unwrap();
    // Bob knows the session and the id of the question.
    assert_eq!(bob.post(&reply(&question, yes())).await.status, 404);
    assert_eq!(bob.post(&call(2, "now", json!({}))).await.status, 404);
    assert_eq!(bob.send("GET", "").await.status, 404);
    assert_eq!(bob.send("DELETE", "").await.status, 404);
    assert_eq!(runs(&traces), (1, 0));
    // His own answer to that id, in his own session, reaches nobody.
    let own = Client::open(&router, "bob", "2025-11-25").await;
    own.post(&reply(&question, yes())).await;
    assert_eq!(runs(&traces), (1, 0));
    alice.post(&reply(&question, yes())).await;
    assert_eq!(text(&stream.next().await.unwrap()), "booked 1");
}

#[tokio::test]
async fn one_caller_cannot_take_all_the_places_with_waiting() {
    let traces = traces();
    let router = router_of(legacy_server(&traces).max_concurrent(8));
    let alice = Client::open(&router, "alice", "2025-11-25").await;
    let mut waiting = Vec::new();
    for id in 0..2 {
        let mut stream = alice.post(&how(id, "book")).await;
        let question = stream.next().await.unwrap();
        waiting.push((stream, question));
    }
    // In another session she is the same caller.
    let other = Client::open(&router, "alice", "2025-11-25").await;
    let refused = other.ask(&how(3, "book")).await;
    assert_eq!(
        text(&refused),
        "`ok` got no answer: too many calls wait for answers already; answer or cancel one of them first"
    );
    let bob = Client::open(&router, "bob", "2025-11-25").await;
    assert_eq!(asked(&bob.ask(&how(1, "book")).await), "Book it?");
    let (mut stream, question) = waiting.remove(0);
    alice.post(&reply(&question, yes())).await;
    assert_eq!(text(&stream.next().await.unwrap()), "booked 1");
    let free = other.ask(&how(4, "book")).await;
    assert_eq!(asked(&free), "Book it?");
}

#[tokio::test]
async fn without_a_session_the_error_names_the_fix() {
    let router = router(&traces());
    let mut client = Client::new(&router, "alice");
    client.version = Some("2025-11-25");
    let refused = client.post(&call(1, "now", json!({}))).await;
    assert_eq!(refused.status, 400);
    let message = refused.only().await["error"]["message"].to_string();
    assert!(message.contains("open one with `initialize`"), "{message}");
    client.session = Some("no-such-session".into());
    assert_eq!(client.post(&call(1, "now", json!({}))).await.status, 404);
    assert_eq!(client.send("GET", "").await.status, 404);
    // Nothing says which era it is of: as ever.
    client.session = None;
    client.version = None;
    let refused = client.post(&call(1, "now", json!({}))).await;
    assert_eq!(refused.status, 400);
    assert_eq!(refused.only().await["error"]["code"], -32020);
    assert_eq!(client.send("GET", "").await.status, 405);
    assert_eq!(client.send("DELETE", "").await.status, 405);
}

#[tokio::test]
async fn both_eras_share_a_route_and_nothing_else() {
    let traces = traces();
    let router = router(&traces);
    let client = Client::open(&router, "alice", "2025-11-25").await;
    let mut stream = client
        .post(&call(1, "close_ticket", json!({"ticket": 1})))
        .await;
    let question = stream.next().await.unwrap();
    let modern = request(
        2,
        "tools/call",
        json!({"name": "close_ticket", "arguments": {"ticket": 1}}),
    );
    let post = Request::post("/mcp")
        .header("host", "localhost:8080")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("authorization", "alice")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "close_ticket")
        // Also with the id of a session the request is a modern one: it says so itself.
        .header("mcp-session-id", client.session.clone().unwrap())
        .body(Body::from(modern.to_string()))
        .unwrap();
    let answer = router.clone().oneshot(post).await.unwrap();
    assert_eq!(answer.status(), 200);
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    let interim: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(interim["result"]["resultType"], "input_required");
    client.post(&reply(&question, yes())).await;
    assert_eq!(text(&stream.next().await.unwrap()), "closed");
}

#[tokio::test]
async fn the_end_of_a_session_ends_the_handler_that_waits() {
    let traces = traces();
    let client = Client::open(&router(&traces), "alice", "2025-11-25").await;
    let mut stream = client.post(&call(1, "chatty", json!({"end": "ask"}))).await;
    assert_eq!(asked(&stream.next().await.unwrap()), "Go on?");
    let ended = client.send("DELETE", "").await;
    assert_eq!(ended.status, 204);
    until(|| Traces::read(&traces.dropped) == 1).await;
    assert_eq!(client.post(&call(2, "now", json!({}))).await.status, 404);
}

#[tokio::test]
async fn a_session_that_ends_in_a_commit_does_not_stop_it() {
    let traces = traces();
    let router = router(&traces);
    let client = Client::open(&router, "alice", "2025-11-25").await;
    let _stream = client.post(&call(1, "book", json!({"wait_in": 100}))).await;
    until(|| Traces::read(&traces.runs) == 1).await;
    client.send("DELETE", "").await;
    until(|| Traces::read(&traces.effects) == 1).await;
    assert_eq!(Traces::read(&traces.dropped), 0);
}

#[tokio::test]
async fn a_connection_that_is_lost_does_not_cancel() {
    let traces = traces();
    let client = Client::open(&router(&traces), "alice", "2025-11-25").await;
    let mut stream = client.post(&how(1, "book")).await;
    let question = stream.next().await.unwrap();
    drop(stream);
    client.post(&reply(&question, yes())).await;
    until(|| runs(&traces).1 == 1).await;
}

#[tokio::test]
async fn the_same_post_twice_has_one_effect() {
    let traces = traces();
    let client = Client::open(&router(&traces), "alice", "2025-11-25").await;
    let book = call(7, "book", json!({}));
    let first = client.ask(&book).await;
    assert_eq!(client.ask(&book).await, first);
    assert_eq!(Traces::read(&traces.effects), 1);
    let twice = Client::open(&client.router, "alice", "2025-11-25").await;
    assert_eq!(text(&twice.ask(&book).await), "booked");
    assert_eq!(
        Traces::read(&traces.effects),
        2,
        "another session is another caller's id space"
    );
}

#[tokio::test]
async fn a_batch_of_2025_03_26_is_answered_on_one_stream() {
    let traces = traces();
    let client = Client::open(&router(&traces), "alice", "2025-03-26").await;
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"},
    ]);
    let mut stream = client.post(&batch).await;
    assert_eq!(stream.status, 200);
    let mut ids = Vec::new();
    while let Some(message) = stream.next().await {
        ids.push(message["id"].as_u64().unwrap());
    }
    ids.sort_unstable();
    assert_eq!(ids, [1, 2]);
    assert_eq!(client.post(&json!([initialized()])).await.status, 202);
    assert_eq!(client.post(&json!([])).await.status, 400);
    let newer = Client::open(&client.router, "alice", "2025-06-18").await;
    assert_eq!(newer.post(&batch).await.status, 400);
}

#[tokio::test]
async fn a_message_of_a_batch_that_is_refused_takes_no_other_answer_along() {
    let client = Client::open(&router(&traces()), "alice", "2025-03-26").await;
    let ping = |id: u64| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let unreadable = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": 7});
    let mut stream = client.post(&json!([ping(1), unreadable, ping(3)])).await;
    assert_eq!(stream.status, 200);
    let mut came = Vec::new();
    while let Some(answer) = stream.next().await {
        came.push((answer["id"].as_u64(), answer["error"]["code"].as_i64()));
    }
    came.sort_unstable();
    let expected = [(Some(1), None), (Some(2), Some(-32600)), (Some(3), None)];
    assert_eq!(came, expected);
}

#[tokio::test]
async fn one_caller_does_not_take_the_sessions_of_all() {
    let router = router(&traces());
    for _ in 0..256 {
        let mut opened = Client::new(&router, "alice")
            .post(&initialize("2025-11-25"))
            .await;
        assert_eq!(opened.status, 200);
        opened.next().await.expect("an answer");
    }
    let another = Client::new(&router, "alice")
        .post(&initialize("2025-11-25"))
        .await;
    assert_eq!(another.status, 503);
    Client::open(&router, "bob", "2025-11-25").await;
}

#[tokio::test]
async fn progress_goes_to_the_stream_of_its_call() {
    let client = Client::open(&router(&traces()), "alice", "2025-11-25").await;
    let mut message = call(1, "chatty", json!({}));
    message["params"]["_meta"] = json!({"progressToken": "p1"});
    let mut stream = client.post(&message).await;
    let progress = stream.next().await.unwrap();
    assert_eq!(progress["method"], "notifications/progress");
    assert_eq!(progress["params"]["progressToken"], "p1");
    assert_eq!(text(&stream.next().await.unwrap()), "done");
}

#[tokio::test]
async fn changes_go_to_the_stream_of_the_sessions_own_and_end_with_it() {
    let server = legacy_server(&traces());
    let changes = server.changes();
    let router = server
        .ephemeral_key()
        .allow_host("mcp.example.com")
        .router()
        .unwrap();
    let client = Client::open(&router, "alice", "2025-11-25").await;
    until(|| changes.listeners() == 1).await;
    let mut stream = client.send("GET", "").await;
    changes.tools();
    let told = stream.next().await.unwrap();
    assert_eq!(told["method"], "notifications/tools/list_changed", "{told}");
    // While nobody reads, telling goes on for everybody else.
    drop(stream);
    for _ in 0..1000 {
        changes.tools();
        tokio::task::yield_now().await;
    }
    client.send("DELETE", "").await;
    until(|| changes.listeners() == 0).await;
}
