//! How a pipe ends: when the process is told to, and when nobody serves it any more.

use std::io::{self, PipeWriter, Write};
use std::sync::mpsc as blocking;

use tokio::sync::{mpsc, oneshot};

use super::super::stdio::serve_blocking;
use super::at_once::{chunk, numbered, waits};
use super::*;
use crate::__private::ToolDef;
use crate::call::Call;
use crate::content::ToolResult;
use crate::ctx::Ctx;

/// What is far longer than anything here takes.
const LONG: Duration = Duration::from_secs(20);

/// No handler ends here because its time is over.
fn patient(server: Server) -> Server {
    server.time_limit(10 * LONG)
}

/// Gives away the lines of each write, then waits until it is let through, if it is to wait.
struct Tells {
    written: mpsc::UnboundedSender<String>,
    wait: Option<blocking::Receiver<()>>,
}

impl Write for Tells {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in std::str::from_utf8(bytes).unwrap().lines() {
            // Nobody may be left to be told.
            let _ = self.written.send(line.to_owned());
        }
        if let Some(wait) = &self.wait {
            let _ = wait.recv();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A client at the other end of streams that block.
struct Blocked {
    input: PipeWriter,
    written: mpsc::UnboundedReceiver<String>,
    tell: Option<oneshot::Sender<()>>,
    serving: JoinHandle<io::Result<()>>,
    traces: Traces,
}

impl Blocked {
    fn connect(wait: Option<blocking::Receiver<()>>, tools: Vec<crate::Tool>) -> Self {
        let traces = Traces::default();
        let server = patient(server(&TestWorld::new(), &traces)).tools(tools);
        // Somebody may tell of changes, so that clients can listen.
        let _ = server.changes();
        let endpoint = server.build_lines().unwrap();
        let (reader, input) = io::pipe().unwrap();
        let (sender, written) = mpsc::unbounded_channel();
        let (tell, told) = oneshot::channel();
        let output = Tells {
            written: sender,
            wait,
        };
        let serving = tokio::spawn(async move {
            let told = async { told.await.unwrap() };
            serve_blocking(&endpoint, reader, output, told).await
        });
        Self {
            input,
            written,
            tell: Some(tell),
            serving,
            traces,
        }
    }

    fn send(&mut self, messages: &[Value]) {
        self.input.write_all(chunk(messages).as_bytes()).unwrap();
    }

    fn tell_to_end(&mut self) {
        self.tell.take().unwrap().send(()).unwrap();
    }

    async fn receive(&mut self) -> Value {
        let line = in_time(self.written.recv()).await.expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"))
    }
}

async fn in_time<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(LONG, future).await.expect("in time")
}

async fn until_dropped(traces: &Traces) {
    let dropped = async {
        while Traces::read(&traces.dropped) == 0 {
            tokio::task::yield_now().await;
        }
    };
    in_time(dropped).await;
}

#[tokio::test]
async fn dropping_the_serving_future_ends_handlers_and_the_writer() {
    let mut client = connect_with(patient);
    client.send(&never("a")).await;
    assert_eq!(client.receive().await["method"], "notifications/progress");
    client.serving.abort();
    until_dropped(&client.traces).await;
    let next = in_time(client.lines.next_line()).await.unwrap();
    assert_eq!(next, None);
}

#[tokio::test]
async fn after_the_serving_future_was_dropped_the_threads_take_nothing_and_end() {
    let mut client = Blocked::connect(None, Vec::new());
    client.send(&[never("a")]);
    assert_eq!(client.receive().await["method"], "notifications/progress");
    client.serving.abort();
    until_dropped(&client.traces).await;
    // The thread may wait for a line: it is the last one that it reads.
    client.send(&[numbered(2, call("chatty", json!({}))), waits(3)]);
    assert_eq!(in_time(client.written.recv()).await, None);
    assert_eq!(Traces::read(&client.traces.started), 1);
}

/// A handler that blocks its thread: it says that it does, and waits to be let through.
fn holds() -> (
    crate::Tool,
    mpsc::UnboundedReceiver<()>,
    blocking::Sender<()>,
) {
    let (began, has_begun) = mpsc::unbounded_channel();
    let (let_through, wait) = blocking::channel();
    let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
    let tool = ToolDef::new("holds")
        .no_args()
        .handler(move |_: Ctx, _: Call| {
            began.send(()).unwrap();
            wait.lock().unwrap().recv().unwrap();
            async { Ok(ToolResult::text("held")) }
        });
    (tool, has_begun, let_through)
}

#[tokio::test]
async fn told_to_end_while_a_handler_blocks_subscriptions_end_and_no_more_is_begun() {
    let (holds, mut has_begun, let_through) = holds();
    let mut client = Blocked::connect(None, vec![holds]);
    let later = numbered(3, call("chatty", json!({})));
    client.send(&[
        listen("s"),
        numbered(2, call("holds", json!({}))),
        later.clone(),
        later,
    ]);
    in_time(has_begun.recv()).await.unwrap();
    let acknowledged = client.receive().await;
    assert_eq!(
        acknowledged["method"],
        "notifications/subscriptions/acknowledged"
    );
    client.tell_to_end();
    let ended = client.receive().await;
    assert_eq!(
        (&ended["method"], &ended["params"]["requestId"]),
        (&json!("notifications/cancelled"), &json!("s"))
    );
    assert_eq!(client.receive().await["id"], "s");
    let_through.send(()).unwrap();
    assert_eq!(client.receive().await["id"], 2);
    in_time(client.serving).await.unwrap().unwrap();
    assert_eq!(Traces::read(&client.traces.started), 0);
}

#[tokio::test]
async fn a_server_that_is_told_to_end_does_not_wait_for_a_client_that_stopped_reading() {
    let (_let_through, wait) = blocking::channel();
    let mut client = Blocked::connect(Some(wait), Vec::new());
    client.send(&[waits(1), numbered(2, call("now", json!({})))]);
    // The reading loop has the answer of the second in its hands, and cannot get rid of it.
    let unread = client.written.recv().await.expect("a line");
    assert!(unread.contains("noon"), "{unread}");
    tokio::time::pause();
    let start = tokio::time::Instant::now();
    client.tell_to_end();
    client.serving.await.unwrap().unwrap();
    assert!(start.elapsed() < Duration::from_secs(32));
    until_dropped(&client.traces).await;
}

#[cfg(feature = "legacy")]
#[tokio::test]
async fn dropping_the_serving_future_ends_the_handlers_of_a_session() {
    let mut client = connect_with(patient);
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "older", "version": "1"},
    });
    client
        .send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}))
        .await;
    assert_eq!(client.receive().await["id"], 0);
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .await;
    let params = json!({"name": "chatty", "arguments": {"end": "never"}});
    client
        .send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))
        .await;
    let started = async {
        while Traces::read(&client.traces.started) == 0 {
            tokio::task::yield_now().await;
        }
    };
    in_time(started).await;
    client.serving.abort();
    until_dropped(&client.traces).await;
}
