//! What the reading loop answers itself, and what it leaves to tasks.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;

use super::*;
use crate::__private::ToolDef;
use crate::call::Call;
use crate::content::ToolResult;
use crate::ctx::Ctx;

/// What was written, one entry a write.
#[derive(Clone, Default)]
struct Writes(Arc<Mutex<Vec<String>>>);

impl AsyncWrite for Writes {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let text = std::str::from_utf8(bytes).unwrap().to_owned();
        self.0.lock().unwrap().push(text);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

pub(super) fn numbered(id: u64, mut message: Value) -> Value {
    message["id"] = id.into();
    message
}

/// A call that waits for ever and says nothing.
pub(super) fn waits(id: u64) -> Value {
    numbered(id, call("chatty", json!({"end": "never"})))
}

pub(super) fn chunk(messages: &[Value]) -> String {
    messages
        .iter()
        .map(|message| format!("{message}\n"))
        .collect()
}

#[tokio::test]
async fn a_chunk_of_requests_is_answered_in_order_and_in_one_write() {
    let endpoint = server(&TestWorld::new(), &Traces::default())
        .build_lines()
        .unwrap();
    let ask = |id| numbered(id, call("close_ticket", json!({"ticket": id})));
    let nonsense = json!({"jsonrpc": "2.0", "id": 3, "method": "nonsense", "params": {}});
    let sent = [
        ask(1),
        numbered(2, call("now", json!({}))),
        nonsense,
        request(4, "tools/list", json!({})),
        ask(5),
    ];
    let input = io::Cursor::new(chunk(&sent).into_bytes());
    let writes = Writes::default();
    endpoint.serve_lines(input, writes.clone()).await.unwrap();
    let writes = writes.0.lock().unwrap();
    let [written] = &writes[..] else {
        panic!("one write for all: {writes:?}");
    };
    let answers: Vec<Value> = written
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ids: Vec<_> = answers.iter().map(|answer| answer["id"].as_u64()).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5].map(Some));
    assert_eq!(answers[4]["result"]["resultType"], "input_required");
}

#[tokio::test]
async fn more_answers_than_one_write_may_hold_take_several() {
    let endpoint = server(&TestWorld::new(), &Traces::default())
        .build_lines()
        .unwrap();
    let sent: Vec<_> = (0..200)
        .map(|id| request(id, "tools/list", json!({})))
        .collect();
    let writes = Writes::default();
    let input = io::Cursor::new(chunk(&sent).into_bytes());
    endpoint.serve_lines(input, writes.clone()).await.unwrap();
    let writes = writes.0.lock().unwrap();
    assert!(writes.len() > 1);
    let longest = writes.iter().map(String::len).max().unwrap();
    let answer = writes[0].lines().next().unwrap().len();
    assert!(longest < 32 * 1024 + 2 * answer, "{longest}");
    assert_eq!(writes.iter().flat_map(|text| text.lines()).count(), 200);
}

#[tokio::test]
async fn a_request_that_waits_holds_no_other_and_can_be_cancelled() {
    let mut client = connect();
    let sent = [waits(1), numbered(2, call("now", json!({}))), waits(3)];
    client.raw(chunk(&sent).as_bytes()).await;
    assert_eq!(client.receive().await["id"], 2);
    // Its id is in use, and the other one is not disturbed.
    client.send(&waits(1)).await;
    let refused = client.receive().await;
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!(1), &json!(-32600))
    );
    client.send(&cancel(1)).await;
    client.next_is_answer_to(4).await;
    while Traces::read(&client.traces.dropped) == 0 {
        tokio::task::yield_now().await;
    }
    let traces = client.traces.clone();
    assert!(client.close().await.is_empty());
    assert_eq!(Traces::read(&traces.dropped), 2);
}

#[tokio::test]
async fn a_cancellation_in_the_same_chunk_stops_what_waits() {
    let mut client = connect();
    client.raw(chunk(&[waits(1), cancel(1)]).as_bytes()).await;
    client.next_is_answer_to(2).await;
    while Traces::read(&client.traces.dropped) == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(Traces::read(&client.traces.started), 1);
    assert!(client.close().await.is_empty());
}

#[tokio::test]
async fn a_panic_is_an_error_of_its_request_and_the_loop_goes_on() {
    let mut client = connect();
    let panics = numbered(1, call("chatty", json!({"end": "panic"})));
    let sent = [panics, numbered(2, call("now", json!({})))];
    client.raw(chunk(&sent).as_bytes()).await;
    let failed = client.receive().await;
    assert_eq!(
        (&failed["id"], &failed["error"]["code"]),
        (&json!(1), &json!(-32603)),
        "{failed}"
    );
    assert_eq!(client.receive().await["id"], 2);
}

/// Blocks first, if it is called so; says which task it was polled in.
fn place(name: &'static str, millis: u64) -> crate::Tool {
    ToolDef::new(name)
        .no_args()
        .handler(move |_: Ctx, _: Call| async move {
            std::thread::sleep(Duration::from_millis(millis));
            Ok(ToolResult::text(tokio::task::id().to_string()))
        })
}

#[tokio::test]
async fn after_a_handler_that_blocks_the_next_ones_are_polled_in_tasks() {
    let mut client = connect_with(|server| server.tools([place("blocks", 60), place("where", 0)]));
    let loop_task = client.serving.id().to_string();
    client.send(&call("blocks", json!({}))).await;
    let text = |answer: Value| answer["result"]["content"][0]["text"].clone();
    assert_eq!(text(client.receive().await), loop_task);
    let mut elsewhere = 0;
    loop {
        client.send(&call("where", json!({}))).await;
        if text(client.receive().await) == loop_task {
            break;
        }
        elsewhere += 1;
    }
    assert!(elsewhere >= 600, "{elsewhere}");
}

#[tokio::test]
async fn a_client_that_does_not_read_is_not_read_from() {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let slow = ToolDef::new("slow")
        .no_args()
        .handler(move |_: Ctx, _: Call| {
            counted.fetch_add(1, Ordering::SeqCst);
            async {
                // So that it goes on in a task.
                tokio::task::yield_now().await;
                Ok(ToolResult::text("x".repeat(100)))
            }
        });
    let endpoint = server(&TestWorld::new(), &Traces::default()).tool(slow);
    let endpoint = endpoint.build_lines().unwrap();
    let (mut client, input) = tokio::io::duplex(1024);
    let (output, unread) = tokio::io::duplex(16);
    let serving = tokio::spawn(async move { endpoint.serve_lines(input, output).await });
    let sending = tokio::spawn(async move {
        for id in 0..1000 {
            let line = chunk(&[numbered(id, call("slow", json!({})))]);
            client.write_all(line.as_bytes()).await.unwrap();
        }
    });
    // All of this is in one thread and nothing waits for a clock: what does not go on while the
    // others are polled many times does not go on at all.
    let (mut before, mut still) = (0, 0);
    while still < 1000 {
        tokio::task::yield_now().await;
        let now = runs.load(Ordering::SeqCst);
        still = if now == before { still + 1 } else { 0 };
        before = now;
    }
    assert!(!sending.is_finished(), "there is no room in the pipe");
    // One write under way, the queue, and the requests of one chunk that began meanwhile.
    assert!((64..250).contains(&before), "{before}");
    let mut lines = BufReader::new(unread).lines();
    for _ in 0..1000 {
        let line = lines.next_line().await.unwrap().expect("a line");
        assert!(line.contains("xxx"), "{line}");
    }
    sending.await.unwrap();
    serving.await.unwrap().unwrap();
}
