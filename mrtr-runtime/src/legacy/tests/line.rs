//! Sessions on a pipe, beside modern requests.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::task::JoinHandle;

use super::*;
use crate::fixture::request;

pub(super) struct Client {
    lines: Lines<BufReader<DuplexStream>>,
    writer: DuplexStream,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Client {
    /// A client that has sent nothing yet.
    pub(super) fn connect(server: Server) -> Self {
        let endpoint = server.build_lines().unwrap();
        let (writer, theirs_to_read) = tokio::io::duplex(64 * 1024);
        let (theirs_to_write, reader) = tokio::io::duplex(64 * 1024);
        let serving =
            tokio::spawn(
                async move { endpoint.serve_lines(theirs_to_read, theirs_to_write).await },
            );
        Self {
            lines: BufReader::new(reader).lines(),
            writer,
            serving,
        }
    }

    /// A client with an open session.
    pub(super) async fn open(server: Server, revision: &str) -> Self {
        let mut client = Self::connect(server);
        let opened = client.ask(&initialize(revision)).await;
        assert_eq!(opened["result"]["protocolVersion"], revision, "{opened}");
        client.send(&initialized()).await;
        client
    }

    pub(super) async fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string()).await;
    }

    pub(super) async fn send_text(&mut self, message: &str) {
        let line = format!("{message}\n");
        self.writer.write_all(line.as_bytes()).await.unwrap();
    }

    pub(super) async fn receive(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(20), self.lines.next_line());
        let line = line.await.expect("in time").unwrap().expect("a line");
        serde_json::from_str(&line).unwrap()
    }

    pub(super) async fn ask(&mut self, message: &Value) -> Value {
        self.send(message).await;
        self.receive().await
    }

    pub(super) async fn close(self) {
        drop(self.writer);
        self.serving.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_handshake_agrees_on_a_revision_with_one() {
    for (asked, agreed) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2024-11-05"),
        ("2026-07-28", "2025-11-25"),
        ("1.0.0", "2025-11-25"),
    ] {
        let mut client = Client::connect(legacy_server(&traces()));
        let opened = client.ask(&initialize(asked)).await;
        assert_eq!(opened["result"]["protocolVersion"], agreed, "{opened}");
        assert_eq!(opened["result"]["serverInfo"]["name"], "test");
        assert!(opened["result"].get("resultType").is_none(), "{opened}");
    }
}

#[tokio::test]
async fn a_handler_asks_on_the_connection_and_goes_on_with_the_answer() {
    let traces = traces();
    let mut client = Client::open(legacy_server(&traces), "2025-11-25").await;
    let question = client.ask(&how(1, "book")).await;
    assert_eq!(asked(&question), "Book it?");
    assert_eq!(question["params"]["mode"], "form");
    let done = client.ask(&reply(&question, yes())).await;
    assert_eq!((text(&done), &done["id"]), ("booked 1", &json!(1)));
    assert!(done["result"].get("resultType").is_none(), "{done}");
    // One run, and nothing ran twice.
    assert_eq!(runs(&traces), (1, 1));
}

#[tokio::test]
async fn a_no_is_a_no() {
    for (answer, expected) in [
        (
            json!({"action": "decline", "content": {"ok": true}}),
            "not booked",
        ),
        (json!({"action": "cancel"}), "not booked"),
        (
            json!({"action": "accept", "content": {"ok": false}}),
            "not booked",
        ),
    ] {
        let traces = traces();
        let mut client = Client::open(legacy_server(&traces), "2025-11-25").await;
        let question = client.ask(&how(1, "book")).await;
        let done = client.ask(&reply(&question, answer)).await;
        assert_eq!((text(&done), runs(&traces).1), (expected, 0));
    }
    let mut client = Client::open(legacy_server(&traces()), "2025-11-25").await;
    let question = client.ask(&how(1, "number")).await;
    let done = client
        .ask(&reply(&question, json!({"action": "decline"})))
        .await;
    assert_eq!(text(&done), "`n` was declined");
    assert_eq!(done["result"]["isError"], true);
}

#[tokio::test]
async fn answers_are_validated_each_time_and_asked_for_three_times_more() {
    let mut client = Client::open(legacy_server(&traces()), "2025-11-25").await;
    let mut question = client.ask(&how(1, "number")).await;
    for (wrong, reason) in [
        (value("many"), "value"),
        (value(300), "value"),
        // The author's own validator looks at the second valid answer as at the first.
        (value(50), "below 10"),
    ] {
        question = client.ask(&reply(&question, wrong)).await;
        let words = asked(&question);
        assert!(
            words.starts_with("Please answer again: ") && words.contains(reason),
            "{words}"
        );
        assert!(words.ends_with("\nHow many?"), "{words}");
    }
    let done = client.ask(&reply(&question, value(7.0))).await;
    assert_eq!(text(&done), "7");

    let mut question = client.ask(&how(2, "number")).await;
    for _ in 0..3 {
        question = client.ask(&reply(&question, value(50))).await;
    }
    let done = client.ask(&reply(&question, value(50))).await;
    assert_eq!(
        text(&done),
        "no valid answer to `n` after several tries; start the call again"
    );
}

#[tokio::test]
async fn questions_of_a_batch_are_in_flight_together_and_one_alone_is_not() {
    let mut client = Client::open(legacy_server(&traces()), "2025-11-25").await;
    let a = client.ask(&how(1, "both")).await;
    let b = client.receive().await;
    let mut words = [asked(&a), asked(&b)];
    words.sort_unstable();
    assert_eq!(words, ["First?", "Second?"]);
    // Answers are told apart by their ids, in any order.
    for question in [&b, &a] {
        client.send(&reply(question, value(asked(question)))).await;
    }
    assert_eq!(text(&client.receive().await), "First? Second?");

    let a = client.ask(&how(2, "alone")).await;
    assert_eq!(asked(&a), "First?");
    let b = client.ask(&reply(&a, value("x"))).await;
    assert_eq!(asked(&b), "Second?");
    assert_eq!(text(&client.ask(&reply(&b, value("y"))).await), "x y");
}

#[tokio::test]
async fn a_question_that_is_dropped_is_cancelled_and_ends_the_call() {
    let mut client = Client::open(legacy_server(&traces()), "2025-11-25").await;
    let question = client.ask(&how(1, "drop")).await;
    let mut came = [client.receive().await, client.receive().await];
    came.sort_by_key(|message| message.get("id").is_some());
    let [cancelled, done] = came;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], question["id"]);
    assert_eq!(
        text(&done),
        "the handler dropped the question `a` while it waited for its answer"
    );
}

#[tokio::test]
async fn a_client_that_does_not_know_the_method_is_unsupported() {
    let mut client = Client::open(legacy_server(&traces()), "2025-11-25").await;
    let error = |question: &Value, code: i64| {
        json!({"jsonrpc": "2.0", "id": question["id"],
            "error": {"code": code, "message": "what?"}})
    };
    let question = client.ask(&how(1, "maybe")).await;
    let done = client.ask(&error(&question, -32601)).await;
    assert_eq!(text(&done), "Unsupported");
    let question = client.ask(&how(2, "maybe")).await;
    let done = client.ask(&error(&question, -32000)).await;
    assert_eq!(
        text(&done),
        "`a` got no answer: the client answered with error -32000"
    );
    let question = client.ask(&how(3, "number")).await;
    let done = client.ask(&error(&question, -32601)).await;
    assert!(
        text(&done).contains(r#"{"elicitation":{"form":{}}}"#),
        "{done}"
    );
    assert_eq!(done["result"]["isError"], true);
}

#[tokio::test]
async fn a_revision_without_questions_says_what_is_missing() {
    for revision in ["2025-03-26", "2024-11-05"] {
        let traces = traces();
        let mut client = Client::open(legacy_server(&traces), revision).await;
        let done = client
            .ask(&call(1, "close_ticket", json!({"ticket": 1})))
            .await;
        assert_eq!(done["result"]["isError"], true, "{done}");
        assert!(text(&done).contains("elicitation"), "{done}");
        assert_eq!(runs(&traces).0, 0);
        assert_eq!(text(&client.ask(&how(2, "maybe")).await), "Unsupported");
        assert_eq!(text(&client.ask(&call(3, "now", json!({}))).await), "noon");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_waits_longer_than_a_handler_may_work_and_then_ends() {
    let patient = |traces: &Traces| {
        legacy_server(traces)
            .time_limit(Duration::from_secs(5))
            .ask_timeout(Duration::from_secs(100))
    };
    let mut client = Client::open(patient(&traces()), "2025-11-25").await;
    let question = client.ask(&how(1, "book")).await;
    tokio::time::sleep(Duration::from_secs(90)).await;
    assert_eq!(
        text(&client.ask(&reply(&question, yes())).await),
        "booked 1"
    );

    let mut client = Client::open(patient(&traces()), "2025-11-25").await;
    let question = client.ask(&how(1, "maybe")).await;
    tokio::time::sleep(Duration::from_secs(101)).await;
    let mut came = [client.receive().await, client.receive().await];
    came.sort_by_key(|message| message.get("id").is_some());
    assert_eq!(came[0]["params"]["requestId"], question["id"]);
    assert_eq!(
        text(&came[1]),
        "`a` got no answer: nobody answered within 100 seconds"
    );
}

#[tokio::test]
async fn the_limit_of_rounds_stops_the_same_handlers_as_in_the_modern_revision() {
    let mut client = Client::open(legacy_server(&traces()), "2025-11-25").await;
    let mut message = client.ask(&how(1, "many")).await;
    let mut questions = 0;
    while message.get("method").is_some() {
        questions += 1;
        message = client.ask(&reply(&message, yes())).await;
    }
    assert_eq!(questions, 9);
    assert_eq!(
        text(&message),
        "`k9` would need more than 10 rounds; start the call again"
    );
}

#[tokio::test]
async fn the_same_request_again_is_the_same_flow() {
    let traces = traces();
    let mut client = Client::open(legacy_server(&traces), "2025-11-25").await;
    let question = client.ask(&how(1, "book")).await;
    assert_eq!(
        text(&client.ask(&reply(&question, yes())).await),
        "booked 1"
    );
    // Sent again by a proxy: the recorded result, without a question.
    assert_eq!(text(&client.ask(&how(1, "book")).await), "booked 1");
    assert_eq!(runs(&traces).1, 1);
    // An id of another type is another request.
    let question = client.ask(&how("1", "book")).await;
    assert_eq!(
        text(&client.ask(&reply(&question, yes())).await),
        "booked 2"
    );
}

#[tokio::test]
async fn both_eras_share_a_pipe_and_nothing_else() {
    let traces = traces();
    let mut client = Client::connect(legacy_server(&traces));
    let modern = |id: u64| {
        request(
            id,
            "tools/call",
            json!({"name": "close_ticket", "arguments": {"ticket": 1}}),
        )
    };
    assert_eq!(
        client.ask(&modern(1)).await["result"]["resultType"],
        "input_required"
    );
    // Before the handshake a request without a version is told so.
    let early = client.ask(&call(2, "now", json!({}))).await;
    assert_eq!(
        (&early["error"]["code"], &early["id"]),
        (&json!(-32602), &json!(2))
    );
    client.ask(&initialize("2025-11-25")).await;
    client.send(&initialized()).await;
    let question = client
        .ask(&call(3, "close_ticket", json!({"ticket": 1})))
        .await;
    assert_eq!(asked(&question), "Close ticket 1?");
    // While the question is open, modern requests are answered as ever.
    let interim = client.ask(&modern(4)).await;
    assert_eq!(interim["result"]["resultType"], "input_required");
    assert!(interim["result"]["_meta"].is_object(), "{interim}");
    let probe = client.ask(&request(5, "server/discover", json!({}))).await;
    assert_eq!(probe["result"]["supportedVersions"], json!(["2026-07-28"]));
    let bare = client
        .ask(&json!({"jsonrpc": "2.0", "id": 6, "method": "server/discover"}))
        .await;
    assert_eq!(bare["error"]["code"], -32602);
    // What the handshake declared does not count for a modern request.
    let mut silent = modern(7);
    silent["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    assert_eq!(client.ask(&silent).await["error"]["code"], -32021);
    assert_eq!(text(&client.ask(&reply(&question, yes())).await), "closed");
    client.close().await;
}

#[tokio::test]
async fn a_cancelled_call_ends_its_handler_and_its_question() {
    let traces = traces();
    let mut client = Client::open(legacy_server(&traces), "2025-11-25").await;
    let never = call(1, "chatty", json!({"end": "never"}));
    client.send(&never).await;
    until(|| Traces::read(&traces.started) == 1).await;
    let cancel = |id: u64| json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    client.send(&cancel(1)).await;
    until(|| Traces::read(&traces.dropped) == 1).await;
    // Its log line and nothing else came.
    assert_eq!(client.receive().await["method"], "notifications/message");
    let question = client.ask(&how(2, "book")).await;
    client.send(&cancel(2)).await;
    let cancelled = client.receive().await;
    assert_eq!(cancelled["params"]["requestId"], question["id"]);
    client.send(&reply(&question, yes())).await;
    let pong = client
        .ask(&json!({"jsonrpc": "2.0", "id": 3, "method": "ping"}))
        .await;
    assert_eq!(pong, json!({"jsonrpc": "2.0", "id": 3, "result": {}}));
    assert_eq!(runs(&traces).1, 0);
}

#[tokio::test]
async fn the_end_of_the_connection_ends_the_handler_that_waits() {
    let traces = traces();
    let mut client = Client::open(legacy_server(&traces), "2025-11-25").await;
    let mut waiting = call(1, "chatty", json!({"end": "ask"}));
    waiting["params"]["_meta"] = json!({"progressToken": "t"});
    client.send(&waiting).await;
    let mut methods = Vec::new();
    for _ in 0..3 {
        methods.push(
            client.receive().await["method"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
    }
    assert!(
        methods.contains(&"elicitation/create".into()),
        "{methods:?}"
    );
    client.close().await;
    until(|| Traces::read(&traces.dropped) == 1).await;
}

#[tokio::test]
async fn the_log_level_is_the_sessions() {
    let mut client = Client::open(legacy_server(&traces()), "2025-11-25").await;
    let set = |id: u64, level: &str| json!({"jsonrpc": "2.0", "id": id, "method": "logging/setLevel", "params": {"level": level}});
    assert_eq!(client.ask(&set(1, "emergency")).await["result"], json!({}));
    assert_eq!(
        text(&client.ask(&call(2, "chatty", json!({}))).await),
        "done"
    );
    assert_eq!(client.ask(&set(3, "debug")).await["result"], json!({}));
    client.send(&call(4, "chatty", json!({}))).await;
    let levels = [client.receive().await, client.receive().await];
    assert_eq!(levels[0]["params"]["level"], "debug");
    assert_eq!(levels[1]["params"]["level"], "warning");
    assert_eq!(text(&client.receive().await), "done");
}

#[tokio::test]
async fn a_batch_with_the_call_twice_has_one_effect() {
    let traces = traces();
    let mut client = Client::open(legacy_server(&traces), "2025-03-26").await;
    let book = call(1, "book", json!({}));
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
    client.send(&json!([book, ping, book])).await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        ids.push(client.receive().await["id"].as_u64().unwrap());
    }
    ids.sort_unstable();
    assert_eq!(ids, [1, 2]);
    until(|| runs(&traces).1 == 1).await;
    let pong = client
        .ask(&json!({"jsonrpc": "2.0", "id": 3, "method": "ping"}))
        .await;
    assert!(pong.get("result").is_some(), "{pong}");
    assert_eq!(runs(&traces).1, 1);
}

#[tokio::test]
async fn every_message_of_a_batch_is_taken_or_answered() {
    let mut client = Client::open(legacy_server(&traces()), "2025-03-26").await;
    let ping = |id: u64| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let unreadable = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": 7});
    let silent = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": 7});
    client
        .send(&json!([ping(1), unreadable, 7, silent, ping(3)]))
        .await;
    let mut came = Vec::new();
    for _ in 0..4 {
        let answer = client.receive().await;
        came.push((answer["id"].as_u64(), answer["error"]["code"].as_i64()));
    }
    came.sort_unstable();
    let expected = [
        (None, Some(-32600)),
        (Some(1), None),
        (Some(2), Some(-32600)),
        (Some(3), None),
    ];
    assert_eq!(came, expected);
}

#[tokio::test]
async fn methods_that_are_not_there_are_named() {
    let mut client = Client::open(legacy_server(&traces()), "2025-11-25").await;
    for method in ["nonsense", "subscriptions/listen", "tasks/list"] {
        let params = json!({"notifications": {}});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        assert_eq!(
            client.ask(&message).await["error"]["code"],
            -32601,
            "{method}"
        );
    }
    let unknown = client.ask(&call(2, "nobody", json!({}))).await;
    assert_eq!(unknown["error"]["code"], -32602);
    assert_eq!(unknown["error"]["message"], "unknown tool: nobody");
}
