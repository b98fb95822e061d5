//! The example server at the other end of real pipes.

use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mrtr_tests::{accept, decline, frame};
use mrtr_wire::Judge;
use rmcp::ClientHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, ElicitationCapability, ErrorData, Implementation,
    ProtocolVersion,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, RequestContext, RoleClient, RunningService,
};
use rmcp::transport::{IntoTransport, TokioChildProcess};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// The server's program.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_travel-desk"));
    command
        .arg("serve")
        .kill_on_drop(true)
        .env_remove("MRTR_KEYS");
    command
}

/// A client of the official SDK that answers by a plan and remembers what it was asked.
pub(crate) struct Planned {
    answers: Mutex<Vec<ElicitResult>>,
    pub(crate) asked: Arc<Mutex<Vec<String>>>,
}

impl ClientHandler for Planned {
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            return Err(ErrorData::invalid_params("no page was offered", None));
        };
        self.asked.lock().expect("a test failed").push(message);
        let mut answers = self.answers.lock().expect("a test failed");
        if answers.is_empty() {
            return Err(ErrorData::internal_error(
                "the plan has no more answers",
                None,
            ));
        }
        Ok(answers.remove(0))
    }

    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::new().with_form(Default::default()));
        ClientConfig::new(capabilities, Implementation::new("tests", "0"))
    }
}

pub(crate) fn accepted(content: Value) -> ElicitResult {
    ElicitResult::new(ElicitationAction::Accept).with_content(content)
}

pub(crate) fn ada() -> ElicitResult {
    accepted(json!({ "name": "Ada", "email": "ada@example.org", "seat": "Window" }))
}

/// Connects the official client over a transport.
pub(crate) async fn connect<T, E, A>(
    transport: T,
    answers: Vec<ElicitResult>,
) -> RunningService<RoleClient, Planned>
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let planned = Planned {
        answers: Mutex::new(answers),
        asked: Arc::default(),
    };
    let mode = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    planned
        .serve_with_lifecycle(transport, mode)
        .await
        .expect("the server speaks the revision")
}

/// Plays `whoami` and `book` in every way over a transport of the official client's.
pub(crate) async fn play_all<T, E, A>(transport: impl Fn() -> T)
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let (no, away) = (
        ElicitResult::new(ElicitationAction::Decline),
        ElicitResult::new(ElicitationAction::Cancel),
    );
    let wrong = accepted(json!({ "name": "Ada", "email": "nobody", "seat": "Window" }));
    let yes = accepted(json!({ "ok": true }));
    let table = [
        (
            "whoami",
            vec![accepted(json!({ "name": "Ada" }))],
            "Hello, Ada!",
            false,
        ),
        ("whoami", vec![no.clone()], "Hello, stranger!", false),
        ("whoami", vec![away.clone()], "Hello, stranger!", false),
        (
            "whoami",
            vec![
                accepted(json!({ "name": "" })),
                accepted(json!({ "name": "Ada" })),
            ],
            "Hello, Ada!",
            false,
        ),
        ("book", vec![ada(), yes.clone()], "Booked LH123", false),
        ("book", vec![no.clone()], "`who`", true),
        ("book", vec![away.clone()], "`who`", true),
        ("book", vec![ada(), no], "not booked", true),
        ("book", vec![ada(), away], "not booked", true),
        ("book", vec![wrong, ada(), yes], "Booked LH123", false),
    ];
    for (tool, answers, text, fails) in table {
        let questions = answers.len();
        let client = connect(transport(), answers).await;
        let mut params = CallToolRequestParams::new(tool);
        if tool == "book" {
            params.arguments = json!({ "flight": "LH123" }).as_object().cloned();
        }
        let result = client.call_tool(params).await.expect("a result");
        assert!(text_of(&result).contains(text), "{tool}: {result:?}");
        assert_eq!(result.is_error == Some(true), fails, "{tool}: {result:?}");
        let asked = client
            .service()
            .asked
            .lock()
            .expect("a test failed")
            .clone();
        assert_eq!(asked.len(), questions, "{tool}: {asked:?}");
        client.cancel().await.expect("the client ends");
    }
}

fn text_of(result: &CallToolResult) -> String {
    serde_json::to_value(result).expect("a result serialises")["content"][0]["text"].to_string()
}

#[tokio::test]
async fn the_official_client_is_served_over_pipes() {
    play_all(|| TokioChildProcess::new(program()).expect("the server starts")).await;
}

#[tokio::test]
async fn the_official_client_sees_every_tool() {
    let client = connect(
        TokioChildProcess::new(program()).expect("the server starts"),
        Vec::new(),
    )
    .await;
    let tools = client.list_all_tools().await.expect("a list");
    let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["whoami", "book", "trip", "feedback"]);
    client.cancel().await.expect("the client ends");
}

/// A server process with its pipes; every line it says is judged.
struct Raw {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Lines<BufReader<ChildStdout>>,
    judge: Judge,
}

impl Raw {
    fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped")).lines();
        let stdin = child.stdin.take();
        Self {
            child,
            stdin,
            stdout,
            judge: Judge::new(),
        }
    }

    async fn say(&mut self, bytes: &[u8]) {
        self.judge.sent(&String::from_utf8_lossy(bytes));
        let stdin = self.stdin.as_mut().expect("not closed yet");
        stdin.write_all(bytes).await.expect("the server reads");
        stdin.write_all(b"\n").await.expect("the server reads");
    }

    async fn hear(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(20), self.stdout.next_line()).await;
        let line = line
            .expect("an answer in time")
            .expect("UTF-8")
            .expect("the server still runs");
        let faults = self.judge.received(&line);
        assert!(faults.is_empty(), "{faults:?} in {line}");
        serde_json::from_str(&line).expect("JSON")
    }

    async fn ask(&mut self, frame: &Value) -> Value {
        self.say(frame.to_string().as_bytes()).await;
        self.hear().await
    }

    /// Closes the pipe and waits for the end.
    async fn end(mut self) -> std::process::ExitStatus {
        drop(self.stdin.take());
        let ended = tokio::time::timeout(Duration::from_secs(20), self.child.wait()).await;
        ended
            .expect("the server ends when its input does")
            .expect("a status")
    }
}

#[tokio::test]
async fn a_call_may_be_the_very_first_message() {
    let mut server = Raw::start(program());
    let asked = server
        .ask(&frame(1, "tools/call", json!({ "name": "whoami" })))
        .await;
    assert!(
        asked["result"]["inputRequests"]["who"].is_object(),
        "{asked}"
    );
    assert!(server.end().await.success());
}

#[tokio::test]
async fn a_process_that_is_only_asked_what_it_is_ends_cleanly() {
    let mut first = Raw::start(program());
    let second = Raw::start(program());
    let reply = first.ask(&frame(1, "server/discover", json!({}))).await;
    assert_eq!(reply["result"]["supportedVersions"], json!(["2026-07-28"]));
    assert!(first.end().await.success());
    assert!(
        second.end().await.success(),
        "and one that is asked nothing, too"
    );
}

#[tokio::test]
async fn nothing_that_comes_in_ends_the_loop() {
    let mut server = Raw::start(program());
    let lines: [(&[u8], i64); 6] = [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[]", -32600),
        (b"5", -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"x\"}", -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}", -32602),
    ];
    for (line, code) in lines {
        server.say(line).await;
        let reply = server.hear().await;
        assert_eq!(
            reply["error"]["code"],
            code,
            "{}: {reply}",
            String::from_utf8_lossy(line)
        );
    }
    let long = frame(
        2,
        "tools/call",
        json!({ "name": "whoami", "arguments": { "x": "y".repeat(3 << 20) } }),
    );
    let reply = server.ask(&long).await;
    assert!(reply["error"]["code"].is_i64(), "{reply}");
    // Empty lines, answers and notifications are passed over.
    server.say(b"").await;
    server
        .say(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}")
        .await;
    server
        .say(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/whatever\"}")
        .await;
    loop {
        let reply = server
            .ask(&frame(3, "tools/call", json!({ "name": "whoami" })))
            .await;
        if reply["id"] == 3 {
            assert!(reply["result"].is_object(), "{reply}");
            break;
        }
        // A response where none is due may be refused, without an id.
        assert!(reply.get("id").is_none(), "{reply}");
    }
    assert!(server.end().await.success());
}

#[tokio::test]
async fn a_retry_may_go_to_another_process_with_the_same_keys() {
    let keys = format!(
        "hex:{}",
        (0..32)
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    );
    let shared = || {
        let mut command = program();
        command.env("MRTR_KEYS", &keys);
        Raw::start(command)
    };
    let (mut one, mut other, mut stranger) = (shared(), shared(), Raw::start(program()));
    let first = json!({ "name": "whoami", "arguments": {} });
    let asked = one.ask(&frame(1, "tools/call", first.clone())).await;
    let mut retry = first;
    retry["requestState"] = asked["result"]["requestState"].clone();
    retry["inputResponses"] = json!({ "who": accept(json!({ "name": "Ada" })) });
    let retry = frame(2, "tools/call", retry);
    assert_eq!(
        other.ask(&retry).await["result"]["content"][0]["text"],
        "Hello, Ada!"
    );
    assert_eq!(
        stranger.ask(&retry).await["error"]["code"],
        -32602,
        "it has a key of its own"
    );
    for server in [one, other, stranger] {
        assert!(server.end().await.success());
    }
}

#[tokio::test]
async fn flows_on_one_pipe_do_not_mix() {
    let mut server = Raw::start(program());
    let mut states = Vec::new();
    for id in 0..20 {
        let asked = server
            .ask(&frame(
                id,
                "tools/call",
                json!({ "name": "whoami", "arguments": {} }),
            ))
            .await;
        states.push(asked["result"]["requestState"].clone());
    }
    for (number, state) in states.into_iter().enumerate() {
        let answer = if number % 2 == 0 {
            accept(json!({ "name": format!("N{number}") }))
        } else {
            decline()
        };
        let params = json!({ "name": "whoami", "arguments": {}, "requestState": state, "inputResponses": { "who": answer } });
        let end = server
            .ask(&frame(100 + number as u64, "tools/call", params))
            .await;
        let expected = if number % 2 == 0 {
            format!("Hello, N{number}!")
        } else {
            "Hello, stranger!".to_owned()
        };
        assert_eq!(end["result"]["content"][0]["text"], expected);
    }
    assert!(server.end().await.success());
}
