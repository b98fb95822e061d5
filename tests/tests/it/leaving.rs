//! A client that goes away takes its handler along, but never an effect that has begun.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::StatusCode;
use mrtr::Server;
use mrtr::prelude::*;
use mrtr_tests::{accept, frame};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf,
    WriteHalf,
};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tower_http::timeout::TimeoutLayer;

/// What a slow handler has come to.
#[derive(Clone, Default)]
struct Watch {
    started: Arc<Notify>,
    go_on: Arc<Notify>,
    /// The handler can see that its caller has left.
    left: Arc<Notify>,
    ended: Arc<Notify>,
    dropped: Arc<AtomicUsize>,
    effects: Arc<AtomicUsize>,
}

/// Counts when a handler is dropped before its end.
struct Dropped(Watch, bool);

impl Drop for Dropped {
    fn drop(&mut self) {
        if !self.1 {
            self.0.dropped.fetch_add(1, Ordering::SeqCst);
        }
        self.0.ended.notify_one();
    }
}

impl Watch {
    async fn effect(&self, call: &Call) {
        self.started.notify_one();
        let left = async {
            call.cancelled().await;
            self.left.notify_one();
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = left => {}
            () = self.go_on.notified() => {}
        }
        self.effects.fetch_add(1, Ordering::SeqCst);
        self.ended.notify_one();
    }

    async fn wait_for(&self, what: &Notify) {
        let waited = tokio::time::timeout(Duration::from_secs(10), what.notified()).await;
        waited.expect("it happens in time");
    }
}

#[tool]
async fn slow(State(watch): State<Watch>) -> String {
    let mut guard = Dropped(watch.clone(), false);
    watch.started.notify_one();
    watch.go_on.notified().await;
    guard.1 = true;
    "done".to_owned()
}

#[tool]
async fn slow_effect(State(watch): State<Watch>, call: Call) -> Result<String, ToolError> {
    #[ask(message = "Really?")]
    let ok: Confirm;
    if ok.no() {
        return Err(ToolError::user("not done"));
    }
    #[commit]
    watch.effect(&call).await;
    Ok("done".to_owned())
}

fn server(watch: &Watch) -> Server {
    Server::new("leaving", "1")
        .state(watch.clone())
        .tools([slow(), slow_effect()])
}

/// A client at the other end of in-memory pipes.
struct Pipe {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Pipe {
    fn open(server: Server) -> Self {
        let endpoint = server.build_lines().expect("the server builds");
        let (near, far) = tokio::io::duplex(1 << 16);
        let (reader, writer) = tokio::io::split(far);
        let serving = tokio::spawn(async move { endpoint.serve_lines(reader, writer).await });
        let (reader, writer) = tokio::io::split(near);
        Self {
            lines: BufReader::new(reader).lines(),
            writer,
            serving,
        }
    }

    /// Closes both pipes; what is given back is done when the server has stopped.
    fn close(self) -> JoinHandle<std::io::Result<()>> {
        self.serving
    }

    async fn say(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.writer
            .write_all(line.as_bytes())
            .await
            .expect("the server reads");
    }

    async fn hear(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(10), self.lines.next_line()).await;
        let line = line
            .expect("a line in time")
            .expect("UTF-8")
            .expect("the server goes on");
        serde_json::from_str(&line).expect("JSON")
    }
}

fn call(id: u64, tool: &str) -> Value {
    frame(id, "tools/call", json!({ "name": tool, "arguments": {} }))
}

/// The request that says yes to the question in `asked`.
fn yes(id: u64, asked: &Value) -> Value {
    let mut retry = call(id, "slow_effect");
    retry["params"]["requestState"] = asked["result"]["requestState"].clone();
    retry["params"]["inputResponses"] = json!({ "ok": accept(json!({ "ok": true })) });
    retry
}

fn cancelled(id: u64) -> Value {
    let params = json!({ "requestId": id });
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })
}

#[tokio::test]
async fn a_cancelled_call_is_dropped_and_never_answered() {
    let watch = Watch::default();
    let mut pipe = Pipe::open(server(&watch));
    pipe.say(&call(1, "slow")).await;
    watch.wait_for(&watch.started).await;
    pipe.say(&cancelled(1)).await;
    watch.wait_for(&watch.ended).await;
    assert_eq!(watch.dropped.load(Ordering::SeqCst), 1);
    pipe.say(&frame(2, "server/discover", json!({}))).await;
    assert_eq!(
        pipe.hear().await["id"],
        2,
        "nothing was said about the cancelled one"
    );
}

#[tokio::test]
async fn a_cancel_that_comes_too_late_does_not_stop_the_effect() {
    let watch = Watch::default();
    let mut pipe = Pipe::open(server(&watch));
    pipe.say(&call(1, "slow_effect")).await;
    let asked = pipe.hear().await;
    pipe.say(&yes(2, &asked)).await;
    watch.wait_for(&watch.started).await;
    pipe.say(&cancelled(2)).await;
    pipe.say(&frame(3, "server/discover", json!({}))).await;
    assert_eq!(pipe.hear().await["id"], 3);
    watch.go_on.notify_one();
    watch.wait_for(&watch.ended).await;
    assert_eq!(watch.effects.load(Ordering::SeqCst), 1);
    pipe.say(&frame(4, "server/discover", json!({}))).await;
    assert_eq!(
        pipe.hear().await["id"],
        4,
        "and the cancelled id is never answered"
    );
}

#[tokio::test]
async fn a_closed_pipe_waits_for_the_effect_and_drops_the_rest() {
    let watch = Watch::default();
    let mut pipe = Pipe::open(server(&watch));
    pipe.say(&call(1, "slow_effect")).await;
    let asked = pipe.hear().await;
    pipe.say(&yes(2, &asked)).await;
    watch.wait_for(&watch.started).await;
    pipe.say(&call(3, "slow")).await;
    watch.wait_for(&watch.started).await;
    let mut serving = pipe.close();
    watch.wait_for(&watch.ended).await;
    assert_eq!(watch.dropped.load(Ordering::SeqCst), 1, "the rest");
    watch.wait_for(&watch.left).await;
    let waiting = tokio::time::timeout(Duration::from_millis(200), &mut serving).await;
    assert!(waiting.is_err(), "the server waits for the effect");
    assert_eq!(watch.effects.load(Ordering::SeqCst), 0);
    watch.go_on.notify_one();
    let stopped = tokio::time::timeout(Duration::from_secs(10), serving).await;
    let stopped = stopped.expect("it stops in time").expect("no panic");
    stopped.expect("a client that leaves is no error");
    assert_eq!(watch.effects.load(Ordering::SeqCst), 1);
}

/// What came over a connection until its end: the status and the JSON, if there is any.
async fn response(mut stream: TcpStream) -> (String, Value) {
    let mut text = String::new();
    stream.read_to_string(&mut text).await.expect("a response");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
    let status = head.split(' ').nth(1).expect("a status").to_owned();
    (status, serde_json::from_str(body).unwrap_or_default())
}

#[tokio::test]
async fn a_timeout_layer_of_the_user_gives_up_the_response_and_not_the_effect() {
    let watch = Watch::default();
    let patience = Duration::from_millis(300);
    let layer = TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, patience);
    let public = server(&watch)
        .ephemeral_key()
        .allow_host("localhost")
        .allow_anonymous_commits();
    let router = public.router().expect("the server builds").layer(layer);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });

    let (status, asked) = response(post(address, &call(1, "slow_effect")).await).await;
    assert_eq!(status, "200", "{asked}");
    let (status, _) = response(post(address, &yes(2, &asked)).await).await;
    assert_eq!(status, "408");
    watch.wait_for(&watch.started).await;
    assert_eq!(watch.effects.load(Ordering::SeqCst), 0, "it still goes on");
    watch.go_on.notify_one();
    watch.wait_for(&watch.ended).await;
    let (status, again) = response(post(address, &yes(3, &asked)).await).await;
    assert_eq!(
        (status.as_str(), &again["result"]["content"][0]["text"]),
        ("200", &json!("done")),
        "{again}"
    );
    assert_eq!(watch.effects.load(Ordering::SeqCst), 1);

    // What has no effect yet is dropped.
    let (status, _) = response(post(address, &call(4, "slow")).await).await;
    assert_eq!(status, "408");
    watch.wait_for(&watch.ended).await;
    assert_eq!(watch.dropped.load(Ordering::SeqCst), 1);
}

/// Posts a frame over HTTP and leaves the response alone.
async fn post(listener: std::net::SocketAddr, frame: &Value) -> TcpStream {
    let body = frame.to_string();
    let (method, name) = (frame["method"].as_str(), frame["params"]["name"].as_str());
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: {}\r\nMcp-Name: {}\r\nContent-Length: {}\r\n\r\n",
        method.expect("a method"),
        name.expect("a name"),
        body.len(),
    );
    let mut stream = TcpStream::connect(listener)
        .await
        .expect("the server listens");
    stream
        .write_all(format!("{head}{body}").as_bytes())
        .await
        .expect("the server reads");
    stream
}

#[tokio::test]
async fn a_closed_connection_drops_the_handler_but_not_an_effect() {
    let watch = Watch::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(server(&watch).serve_listener(listener));

    let stream = post(address, &call(1, "slow")).await;
    watch.wait_for(&watch.started).await;
    drop(stream);
    watch.wait_for(&watch.ended).await;
    assert_eq!(watch.dropped.load(Ordering::SeqCst), 1);

    let (_, asked) = response(post(address, &call(2, "slow_effect")).await).await;
    let stream = post(address, &yes(3, &asked)).await;
    watch.wait_for(&watch.started).await;
    drop(stream);
    watch.wait_for(&watch.left).await;
    watch.go_on.notify_one();
    watch.wait_for(&watch.ended).await;
    assert_eq!(watch.effects.load(Ordering::SeqCst), 1);
}
