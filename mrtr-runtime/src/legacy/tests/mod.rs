//! The revisions with a handshake, as their clients see them.

mod either;
#[cfg(feature = "http")]
mod flow;
mod frames;
mod http;
mod kinds;
mod line;

#[cfg(feature = "http")]
mod twice;
mod watch;
mod wire;

use std::sync::atomic::Ordering;
use std::time::Duration;

use mrtr_core::reply::{Answer, Confirm};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::__private::{ToolDef, args, commit};
use crate::call::Call;
use crate::content::ToolResult;
use crate::ctx::Ctx;
use crate::fixture::{TestWorld, Traces, server};
use crate::server::Server;
use crate::tool::Tool;

/// Does what its argument says, with questions.
fn asks(traces: &Traces) -> Tool {
    #[derive(Deserialize, JsonSchema)]
    struct Args {
        how: String,
    }
    let traces = traces.clone();
    ToolDef::new("asks")
        .args::<Args>()
        .commits()
        .handler(move |ctx: Ctx, call: Call| {
            let traces = traces.clone();
            async move {
                traces.runs.fetch_add(1, Ordering::SeqCst);
                let Args { how } = args(&call)?;
                let text = match how.as_str() {
                    "number" => {
                        let small = |n: &u8| if *n < 10 { Ok(()) } else { Err("below 10") };
                        let n: u8 = ctx.ask("n", "How many?").validate(small).await;
                        n.to_string()
                    }
                    "both" => {
                        let a = ctx.ask::<String>("a", "First?").now();
                        let b = ctx.ask::<String>("b", "Second?").now();
                        format!("{} {}", a.await, b.await)
                    }
                    "alone" => {
                        let a = ctx.ask::<String>("a", "First?").now();
                        let b = ctx.ask::<String>("b", "Second?").alone().now();
                        format!("{} {}", a.await, b.await)
                    }
                    "drop" => {
                        tokio::select! {
                            text = ctx.ask::<String>("a", "First?") => text,
                            () = tokio::time::sleep(Duration::from_millis(10)) => "dropped".into(),
                        }
                    }
                    "maybe" => {
                        let answer = ctx
                            .ask::<Answer<String>>("a", "First?")
                            .if_supported()
                            .await;
                        format!("{answer:?}")
                    }
                    "many" => {
                        for n in 0..20 {
                            let _: Confirm = ctx.ask(format!("k{n}"), "Go on?").await;
                        }
                        "all".into()
                    }
                    _ => {
                        let ok: Confirm = ctx.ask("ok", "Book it?").await;
                        if !ok.yes() {
                            return Ok(ToolResult::text("not booked"));
                        }
                        let _c = commit(ctx).await;
                        let wait = if how == "slow" { 50 } else { 0 };
                        tokio::time::sleep(Duration::from_millis(wait)).await;
                        let n = traces.effects.fetch_add(1, Ordering::SeqCst) + 1;
                        assert_ne!(how, "panic", "on purpose");
                        format!("booked {n}")
                    }
                };
                Ok(ToolResult::text(text))
            }
        })
}

/// The server of these tests.
fn legacy_server(traces: &Traces) -> Server {
    server(&TestWorld::new(), traces).tool(asks(traces))
}

/// The `initialize` of a client that can be asked everything its revision has.
fn initialize(revision: &str) -> Value {
    let elicitation = match revision {
        "2025-11-25" => json!({"form": {}, "url": {}}),
        _ => json!({}),
    };
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": revision,
        "capabilities": {
            "elicitation": elicitation, "sampling": {}, "roots": {"listChanged": true}
        },
        "clientInfo": {"name": "test", "version": "1"}
    }})
}

fn initialized() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
}

fn call(id: impl Into<Value>, name: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call",
        "params": {"name": name, "arguments": arguments}})
}

fn how(id: impl Into<Value>, how: &str) -> Value {
    call(id, "asks", json!({"how": how}))
}

/// A client's answer to a question of the server's.
fn reply(question: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": question["id"], "result": result})
}

fn yes() -> Value {
    json!({"action": "accept", "content": {"ok": true}})
}

fn value(value: impl Into<Value>) -> Value {
    json!({"action": "accept", "content": {"value": value.into()}})
}

/// The text of a tool's result.
fn text(message: &Value) -> &str {
    message["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text in {message}"))
}

/// What a question says.
fn asked(question: &Value) -> &str {
    assert_eq!(question["method"], "elicitation/create", "{question}");
    question["params"]["message"].as_str().unwrap()
}

fn traces() -> Traces {
    Traces::default()
}

fn runs(traces: &Traces) -> (usize, usize) {
    (Traces::read(&traces.runs), Traces::read(&traces.effects))
}

/// Waits until something holds that another task brings about.
async fn until(holds: impl Fn() -> bool) {
    for _ in 0..500 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never came to hold");
}
