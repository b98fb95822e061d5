//! The line loop over pipes, as a client at the other end sees it.

mod at_once;
mod ending;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::task::JoinHandle;

use crate::fixture::{TestWorld, Traces, call, request, server};
use crate::server::Server;

/// A client with a server at the other end.
struct Client {
    lines: Lines<BufReader<DuplexStream>>,
    writer: Option<DuplexStream>,
    serving: JoinHandle<std::io::Result<()>>,
    traces: Traces,
}

fn connect_with(change: impl FnOnce(Server) -> Server) -> Client {
    let traces = Traces::default();
    let endpoint = change(server(&TestWorld::new(), &traces))
        .build_lines()
        .unwrap();
    let (writer, theirs_to_read) = tokio::io::duplex(64 * 1024);
    let (theirs_to_write, reader) = tokio::io::duplex(64 * 1024);
    let serving =
        tokio::spawn(async move { endpoint.serve_lines(theirs_to_read, theirs_to_write).await });
    Client {
        lines: BufReader::new(reader).lines(),
        writer: Some(writer),
        serving,
        traces,
    }
}

fn connect() -> Client {
    connect_with(|server| server)
}

impl Client {
    async fn raw(&mut self, bytes: &[u8]) {
        self.writer
            .as_mut()
            .unwrap()
            .write_all(bytes)
            .await
            .unwrap();
    }

    async fn send(&mut self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes()).await;
    }

    async fn receive(&mut self) -> Value {
        let line = self.lines.next_line().await.unwrap().expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"))
    }

    /// Whether nothing more comes than the answer to this.
    async fn next_is_answer_to(&mut self, id: u64) {
        self.send(&request(id, "server/discover", json!({}))).await;
        let next = self.receive().await;
        assert_eq!(
            (&next["id"], next.get("result").is_some()),
            (&json!(id), true),
            "{next}"
        );
    }

    async fn close(mut self) -> Vec<Value> {
        let mut writer = self.writer.take().unwrap();
        writer.shutdown().await.unwrap();
        let mut rest = Vec::new();
        while let Ok(Some(line)) = self.lines.next_line().await {
            rest.push(serde_json::from_str(&line).unwrap());
        }
        self.serving.await.unwrap().unwrap();
        rest
    }
}

fn never(id: impl Into<Value>) -> Value {
    let mut message = call("chatty", json!({"end": "never"}));
    message["id"] = id.into();
    message["params"]["_meta"]["progressToken"] = json!("t");
    message
}

fn cancel(id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id.into()}})
}

#[tokio::test]
async fn the_first_message_may_be_a_call() {
    let mut client = connect();
    client.send(&call("now", json!({}))).await;
    assert_eq!(
        client.receive().await["result"]["content"][0]["text"],
        "noon"
    );
    assert!(client.close().await.is_empty());
}

#[tokio::test]
async fn nothing_that_comes_in_ends_the_loop() {
    let mut client = connect_with(|server| server.max_body(4096));
    let long = "x".repeat(100_000);
    let cases: [(&[u8], i64); 7] = [
        (b"nonsense\n", -32700),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\xfe\",\"method\":\"m\"}\n",
            -32700,
        ),
        (b"\0\x01\x02\n", -32700),
        (
            b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\"}]\n",
            -32600,
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"m\"}\n",
            -32600,
        ),
        (b"17\n", -32600),
        (long.as_bytes(), -32600),
    ];
    for (line, code) in cases {
        client.raw(line).await;
        let refused = client.receive().await;
        assert_eq!(refused["error"]["code"], code, "{refused}");
        assert!(refused.get("id").is_none(), "{refused}");
    }
    client.raw(b"still the long line\n\n \r\n").await;
    client.next_is_answer_to(7).await;
}

#[tokio::test]
async fn nobody_is_answered_who_did_not_ask() {
    let mut client = connect();
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/unknown"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#,
        r#"{"jsonrpc":"1.0","method":"x"}"#,
        r#"{"jsonrpc":"2.0","method":7}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#,
    ] {
        client.raw(format!("{line}\n").as_bytes()).await;
    }
    client.next_is_answer_to(7).await;
}

#[tokio::test]
async fn requests_run_side_by_side_and_lines_never_mix() {
    let mut client = connect();
    client.send(&never("slow")).await;
    assert_eq!(client.receive().await["method"], "notifications/progress");
    for id in 0..50 {
        let mut message = call("chatty", json!({}));
        message["id"] = json!(id);
        client.send(&message).await;
    }
    let mut ids: Vec<u64> = Vec::new();
    for _ in 0..50 {
        ids.push(client.receive().await["id"].as_u64().unwrap());
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..50).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_cancelled_request_is_never_answered() {
    let mut client = connect();
    client.send(&never("a")).await;
    assert_eq!(client.receive().await["method"], "notifications/progress");
    client.send(&cancel("a")).await;
    client.next_is_answer_to(1).await;
    assert_eq!(Traces::read(&client.traces.dropped), 1);
    // Its id is free again, and the cancellation of another kind of id is somebody else's.
    client.send(&never("a")).await;
    assert_eq!(client.receive().await["method"], "notifications/progress");
    client.send(&never(5)).await;
    assert_eq!(client.receive().await["method"], "notifications/progress");
    client.send(&cancel("5")).await;
    client.next_is_answer_to(2).await;
    assert_eq!(Traces::read(&client.traces.dropped), 1);
}

#[tokio::test]
async fn a_cancellation_right_behind_its_request_wins_or_loses_cleanly() {
    let mut client = connect();
    for id in 0..100 {
        let mut message = call("now", json!({}));
        message["id"] = json!(id);
        client
            .raw(format!("{message}\n{}\n", cancel(id)).as_bytes())
            .await;
    }
    client
        .send(&request("end", "server/discover", json!({})))
        .await;
    let mut seen = std::collections::HashSet::new();
    loop {
        let answer = client.receive().await;
        if answer["id"] == "end" {
            break;
        }
        assert!(
            seen.insert(answer["id"].to_string()),
            "answered twice: {answer}"
        );
    }
}

#[tokio::test]
async fn an_id_in_use_is_refused_and_the_first_request_goes_on() {
    let mut client = connect();
    client.send(&never("a")).await;
    assert_eq!(client.receive().await["method"], "notifications/progress");
    client.send(&never("a")).await;
    let refused = client.receive().await;
    assert_eq!(
        (&refused["error"]["code"], &refused["id"]),
        (&json!(-32600), &json!("a"))
    );
    client.next_is_answer_to(1).await;
    assert_eq!(Traces::read(&client.traces.dropped), 0);
}

#[tokio::test]
async fn what_was_piped_in_whole_is_answered_whole() {
    let mut client = connect();
    client
        .raw(
            format!(
                "{}\n{}",
                call("now", json!({})),
                request(2, "tools/list", json!({}))
            )
            .as_bytes(),
        )
        .await;
    let mut answers = client.close().await;
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!(answers.len(), 2);
    assert!(answers.iter().all(|answer| answer.get("result").is_some()));
}

#[tokio::test(start_paused = true)]
async fn the_end_of_input_stops_handlers_soon() {
    let mut client = connect();
    client.send(&never("a")).await;
    assert_eq!(client.receive().await["method"], "notifications/progress");
    let traces = client.traces.clone();
    let start = tokio::time::Instant::now();
    assert!(client.close().await.is_empty());
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!(Traces::read(&traces.dropped), 1);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_input_waits_for_a_commit() {
    let mut client = connect();
    client.send(&call("book", json!({"wait_in": 10_000}))).await;
    client.next_is_answer_to(7).await;
    let traces = client.traces.clone();
    while Traces::read(&traces.runs) == 0 {
        tokio::task::yield_now().await;
    }
    client.close().await;
    assert_eq!(
        (Traces::read(&traces.effects), Traces::read(&traces.dropped)),
        (1, 0)
    );
}

#[tokio::test]
async fn a_client_that_stops_reading_ends_the_server() {
    let mut client = connect();
    client.send(&never("a")).await;
    assert_eq!(client.receive().await["method"], "notifications/progress");
    let Client {
        lines,
        mut writer,
        serving,
        traces,
    } = client;
    drop(lines);
    let writer = writer.as_mut().unwrap();
    writer
        .write_all(format!("{}\n", call("now", json!({}))).as_bytes())
        .await
        .unwrap();
    // Its side for writing is still open.
    serving.await.unwrap().unwrap();
    assert_eq!(Traces::read(&traces.dropped), 1);
}

#[tokio::test]
async fn texts_with_line_feeds_stay_on_one_line() {
    let mut client = connect();
    let mut message = call("chatty", json!({"end": "ask"}));
    message["params"]["_meta"]["progressToken"] = json!("line\nfeed\u{2028}");
    client.send(&message).await;
    let progress = client.receive().await;
    assert_eq!(progress["params"]["message"], "half\nway");
    assert_eq!(progress["params"]["progressToken"], "line\nfeed\u{2028}");
    assert_eq!(
        client.receive().await["result"]["resultType"],
        "input_required"
    );
}

fn listen(id: impl Into<Value>) -> Value {
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    request(id, "subscriptions/listen", wanted)
}

#[tokio::test]
async fn over_lines_a_listener_is_cancelled_by_its_id_and_ends_with_the_client() {
    let mut changes = None;
    let mut client = connect_with(|server| {
        changes = Some(server.changes());
        server
    });
    let changes = changes.expect("the server was made");
    for id in ["a", "b"] {
        client.send(&listen(id)).await;
        let acknowledged = client.receive().await;
        let method = &acknowledged["method"];
        assert_eq!(method, "notifications/subscriptions/acknowledged");
    }
    client.send(&cancel("a")).await;
    client.next_is_answer_to(1).await;
    changes.tools();
    let told = client.receive().await;
    let subscription = &told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
    assert_eq!(subscription, "b");
    // Its id is free again.
    client.send(&listen("a")).await;
    client.receive().await;
    assert_eq!(changes.listeners(), 2);
    // A change that is on its way when the client leaves keeps nobody.
    changes.tools();
    client.close().await;
    assert_eq!(changes.listeners(), 0);
}
