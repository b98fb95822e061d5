//! What a server says when it cannot be built.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::build::Listener;
use super::{Icon, Server};
use crate::__private::ToolDef;
use crate::content::ToolResult;
use crate::fixture::{Traces, book, key, now, principal, run_query};
use crate::from_call::State;
use crate::tool::Tool;

fn plain(name: &'static str) -> ToolDef {
    ToolDef::new(name)
}

fn finish(tool: ToolDef) -> Tool {
    tool.handler(|_, _| async { Ok(ToolResult::new()) })
}

fn server() -> Server {
    Server::new("test", "1.0.0")
}

fn refused(server: Server, listener: Listener) -> String {
    match server.build_for(listener) {
        Ok(_) => "built".into(),
        Err(error) => {
            assert_eq!(error.to_string(), format!("{error:?}"));
            error.to_string()
        }
    }
}

#[test]
fn every_problem_is_named_with_its_remedy() {
    let broken = server()
        .tools([now(), now(), finish(plain("typed").param::<State<u32>>())])
        .max_rounds(1)
        .round_ttl(Duration::ZERO)
        .icons([Icon::new("http://example.com/a.png")]);
    let text = refused(broken, Listener::Public);
    assert!(
        text.starts_with("the server cannot be built for 7 reasons\n- "),
        "{text}"
    );
    for part in [
        "two tools are named `now`",
        "tool `typed` takes `State<u32>`",
        "add `.state(..)`",
        "no key seals the request states",
        "set `MRTR_KEYS`",
        "no host name is allowed",
        "`max_rounds` is 1\n  help: it must be at least 2",
        "`round_ttl` is 0ns\n  help: it must be at least 1 ms",
        "`icons` is `http://example.com/a.png`",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_meta_that_cannot_be_sent_is_refused() {
    let with = |meta: serde_json::Value| {
        let tool = finish(plain("ranked").meta(&meta));
        refused(server().tool(tool), Listener::Stdio)
    };
    assert_eq!(with(json!({"com.example/rank": 1, "rank": 2})), "built");
    let list = with(json!([1]));
    assert!(
        list.contains("tool `ranked`: its `meta` is no JSON object"),
        "{list}"
    );
    let reserved = with(json!({"io.modelcontextprotocol/x": 1}));
    assert!(reserved.contains("has a prefix of MCP's own"), "{reserved}");
    let malformed = with(json!({"my rank": 1}));
    assert!(
        malformed.contains("`my rank` is no `_meta` key"),
        "{malformed}"
    );
}

#[test]
fn what_others_can_reach_needs_a_key_and_a_host_and_this_machine_does_not() {
    for listener in [Listener::Stdio, Listener::Loopback] {
        assert_eq!(refused(server().tool(now), listener), "built");
    }
    for listener in [Listener::Public, Listener::Embedded] {
        assert!(refused(server().allow_host("a.example"), listener).contains("no key"));
        assert!(refused(server().keys(key(1)), listener).contains("no host name"));
        let insists = server().ephemeral_key().allow_host("a.example");
        assert_eq!(refused(insists, listener), "built");
    }
}

#[test]
fn hosts_and_origins_that_match_nothing_are_refused() {
    let with = |host: &str, origin: &str| {
        refused(
            server().allow_host(host).allow_origin(origin),
            Listener::Stdio,
        )
    };
    assert_eq!(with("a.example:8443", "https://a.example/"), "built");
    for host in ["https://a.example", "*.example", "a.example/mcp", "", "a b"] {
        assert!(
            with(host, "https://a.example").contains("`allow_host` is"),
            "{host}"
        );
    }
    for origin in ["a.example", "*", "https://a.example/path", "null"] {
        assert!(
            with("a.example", origin).contains("`allow_origin` is"),
            "{origin}"
        );
    }
}

#[test]
fn commits_for_callers_nobody_knows_must_be_meant() {
    let traces = Traces::default();
    let public = || {
        server()
            .keys(key(1))
            .allow_host("a.example")
            .tool(book(&traces))
    };
    assert!(refused(public(), Listener::Public).contains("tool `book` commits"));
    assert_eq!(
        refused(public().allow_anonymous_commits(), Listener::Public),
        "built"
    );
    assert_eq!(refused(public(), Listener::Loopback), "built");
    let resolved = public().principal(async |_: &crate::Parts| Ok(Some(principal("x"))));
    assert_eq!(refused(resolved, Listener::Public), "built");
}

#[test]
fn a_required_caller_must_be_resolved_by_somebody() {
    let required = || server().require_principal();
    assert!(refused(required(), Listener::Stdio).contains("nothing says who a caller is"));
    assert!(refused(required(), Listener::Loopback).contains("nothing says who a caller is"));
    assert_eq!(
        refused(required().stdio_principal(principal("x")), Listener::Stdio),
        "built"
    );
}

#[test]
fn headers_that_clients_would_refuse_are_refused() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only the schema matters")]
    struct Args {
        ratio: f64,
        a: String,
        b: String,
    }
    let with = |headers: &[(&'static str, &'static str)]| {
        let tool = headers
            .iter()
            .fold(plain("t").args::<Args>(), |tool, (argument, header)| {
                tool.header(argument, header)
            });
        refused(server().tool(finish(tool)), Listener::Stdio)
    };
    assert_eq!(with(&[("a", "A"), ("b", "B")]), "built");
    assert!(with(&[("ratio", "Ratio")]).contains("neither a string nor an integer"));
    assert!(with(&[("a", "Same"), ("b", "same")]).contains("mirrors two arguments"));
    assert!(with(&[("a", "No Name")]).contains("no header name"));
    assert!(with(&[("c", "C")]).contains("no such argument"));
    assert_eq!(
        refused(server().tool(run_query()), Listener::Stdio),
        "built"
    );
}

#[tokio::test]
async fn run_names_the_limits_of_a_tool_that_cannot_be_kept() {
    let zero = finish(plain("t").flow_ttl_ms(0).time_limit_ms(0));
    let error = server().tool(zero).serve_stdio().await.unwrap_err();
    assert!(format!("{error:?}").contains("`flow_ttl` is 0"), "{error}");
}

/// What building a server says to the log.
fn logged(server: Server) -> String {
    let log = Arc::new(Mutex::new(Vec::new()));
    let writer = Arc::clone(&log);
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_writer(move || Writer(Arc::clone(&writer)))
        .finish();
    let built = tracing::subscriber::with_default(subscriber, || server.build_for(Listener::Stdio));
    built.expect("the server builds");
    let bytes = std::mem::take(&mut *log.lock().expect("no test panics while it logs"));
    String::from_utf8(bytes).expect("a log is text")
}

struct Writer(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0
            .lock()
            .expect("no test panics while it logs")
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_log_says_what_no_store_can_promise() {
    let commits = || finish(plain("pay").commits());
    let none = "there is no flow store: a repeated final round commits again";
    let memory = "the flow store is in memory: flows that commit do not survive a restart";
    let store = || crate::flow::MemoryStore::new();
    let cases = [
        (server().tool(commits()).without_flows(), Some(none)),
        (server().tool(commits()).keys(key(1)), Some(memory)),
        (server().tool(commits()), None),
        (server().tool(commits()).keys(key(1)).flows(store()), None),
        (server().tool(finish(plain("look"))).without_flows(), None),
    ];
    for (turn, (server, expected)) in cases.into_iter().enumerate() {
        let log = logged(server);
        for line in [none, memory] {
            assert_eq!(log.contains(line), expected == Some(line), "{turn}: {log}");
        }
    }
}
