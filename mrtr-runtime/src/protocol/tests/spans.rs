//! What a log sees of a request.

use std::io;
use std::sync::{Arc, Mutex};

use serde_json::json;
use tracing_subscriber::fmt::format::FmtSpan;

use super::{desk, retry};
use crate::fixture::{call, request, send};

/// Where the log of a test goes.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap()
    }
}

#[tokio::test]
async fn a_span_names_the_request_and_never_what_is_in_it() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_span_events(FmtSpan::CLOSE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let _logging = tracing::subscriber::set_default(subscriber);
    let desk = desk();
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let mut first = call("close_ticket", json!({"ticket": 987_654_321}));
    first["params"]["_meta"]["traceparent"] = json!(parent);
    // A test beside this one may have met a span first, before anybody listened, and tracing keeps
    // such a verdict; so each is met once, and then judged anew.
    send(&desk.endpoint, &first).await;
    tracing::callsite::rebuild_interest_cache();
    log.take();
    let asked = send(&desk.endpoint, &first).await;
    let seen = log.take();
    for field in [
        r#"otel.name="tools/call close_ticket""#,
        r#"mcp.method.name="tools/call""#,
        r#"mcp.protocol.version="2026-07-28""#,
        r#"jsonrpc.request.id="1""#,
        r#"gen_ai.tool.name="close_ticket""#,
        r#"gen_ai.operation.name="execute_tool""#,
        "mrtr.round=1",
        "mrtr.flow=",
        &format!(r#"traceparent="{parent}""#),
    ] {
        assert!(seen.contains(field), "{field} in {seen}");
    }

    let state = asked["result"]["requestState"].as_str().unwrap();
    let answer = json!({"action": "accept", "content": {"ok": "canary-answer"}});
    let mut again = retry(state, answer.clone());
    again["params"]["arguments"]["ticket"] = json!(987_654_321);
    send(&desk.endpoint, &again).await;
    send(&desk.endpoint, &retry(state, answer)).await;
    send(
        &desk.endpoint,
        &request(
            "canary-id\n\u{1b}[31m",
            "tools/call",
            json!({"name": "canary\n"}),
        ),
    )
    .await;
    send(
        &desk.endpoint,
        &request(1, "canary/method", json!({"x": "canary-param"})),
    )
    .await;
    let all = seen + &log.take();
    assert!(all.contains("rpc.response.status_code=-32602"), "{all}");
    assert!(
        all.contains("reason=it seems to be made for another call"),
        "{all}"
    );
    for secret in [
        "987654321",
        "canary-answer",
        "canary-param",
        &state[..40],
        "\u{1b}",
    ] {
        assert!(!all.contains(secret), "{secret:?} in {all}");
    }
}
