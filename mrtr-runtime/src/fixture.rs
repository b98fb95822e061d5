//! A server for the tests of the protocol and the transports: a clock that obeys, and a few tools.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mrtr_core::keyring::{Key, KeyRing};
use mrtr_core::principal::Principal;
use mrtr_core::reply::Confirm;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::__private::{AskDef, ToolDef, args, as_form, commit};
use crate::call::Call;
use crate::content::ToolResult;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::notify::LogLevel;
use crate::protocol::{Request, Response};
use crate::server::{Endpoint, Server};
use crate::tool::Tool;
use crate::world::{NoEntropy, World};

/// A clock that tests turn, and bytes that are never the same twice.
pub(crate) struct TestWorld {
    pub(crate) now: AtomicU64,
    drawn: AtomicU64,
}

impl TestWorld {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            now: AtomicU64::new(1_780_000_000_000),
            drawn: AtomicU64::new(1),
        })
    }

    /// How many bytes were drawn.
    pub(crate) fn drawn(&self) -> u64 {
        self.drawn.load(Ordering::SeqCst) - 1
    }

    pub(crate) fn pass(&self, millis: u64) {
        self.now.fetch_add(millis, Ordering::SeqCst);
    }
}

impl World for TestWorld {
    fn now(&self) -> u64 {
        self.now.load(Ordering::SeqCst)
    }

    fn random(&self, buffer: &mut [u8]) -> Result<(), NoEntropy> {
        for (index, byte) in buffer.iter_mut().enumerate() {
            let drawn = self.drawn.fetch_add(1, Ordering::SeqCst);
            *byte = drawn.wrapping_mul(167).wrapping_add(index as u64) as u8;
        }
        Ok(())
    }
}

/// What tools leave behind for a test to look at.
#[derive(Clone, Default)]
pub(crate) struct Traces {
    /// How often a handler was entered.
    pub(crate) runs: Arc<AtomicUsize>,
    /// How many handlers began to chat.
    pub(crate) started: Arc<AtomicUsize>,
    /// How many handlers were dropped before their end.
    pub(crate) dropped: Arc<AtomicUsize>,
    /// How many effects were carried out.
    pub(crate) effects: Arc<AtomicUsize>,
}

impl Traces {
    pub(crate) fn read(counter: &AtomicUsize) -> usize {
        counter.load(Ordering::SeqCst)
    }
}

/// Counts a drop unless it is told that the end was reached.
struct Guard(Arc<AtomicUsize>, bool);

impl Drop for Guard {
    fn drop(&mut self) {
        if !self.1 {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
}

pub(crate) fn key(first: u8) -> KeyRing {
    let bytes = std::array::from_fn::<u8, 32, _>(|index| first.wrapping_add(index as u8));
    KeyRing::new([Key::from_bytes(&bytes).unwrap()]).unwrap()
}

pub(crate) fn principal(name: &str) -> Principal {
    Principal::new("https://issuer.example", name).unwrap()
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Ticket {
    ticket: u64,
}

/// Asks `confirm` on every path and then closes the ticket.
pub(crate) fn close_ticket(traces: &Traces) -> Tool {
    let traces = traces.clone();
    ToolDef::new("close_ticket")
        .description("Closes a ticket.")
        .args::<Ticket>()
        .ask(AskDef::form(&as_form::<Confirm>(), "confirm").required())
        .handler(move |ctx: Ctx, call: Call| {
            traces.runs.fetch_add(1, Ordering::SeqCst);
            async move {
                let Ticket { ticket } = args(&call)?;
                let ok: Confirm = ctx.ask("confirm", format!("Close ticket {ticket}?")).await;
                Ok(ToolResult::text(if ok.yes() {
                    "closed"
                } else {
                    "left open"
                }))
            }
        })
}

/// Asks nothing.
pub(crate) fn now() -> Tool {
    ToolDef::new("now")
        .no_args()
        .handler(|_: Ctx, _: Call| async { Ok(ToolResult::text("noon")) })
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema matters")]
struct Query {
    region: Option<String>,
    limit: Option<u64>,
}

/// Mirrors two arguments in headers.
pub(crate) fn run_query() -> Tool {
    ToolDef::new("run_query")
        .args::<Query>()
        .header("region", "Region")
        .header("limit", "Limit")
        .handler(|_: Ctx, _: Call| async { Ok(ToolResult::text("rows")) })
}

/// Reports progress and a log line, and may ask, fail or go on for ever at the end.
pub(crate) fn chatty(traces: &Traces) -> Tool {
    #[derive(Deserialize, JsonSchema)]
    struct Args {
        end: Option<String>,
    }
    let traces = traces.clone();
    ToolDef::new("chatty")
        .args::<Args>()
        .handler(move |ctx: Ctx, call: Call| {
            let traces = traces.clone();
            async move {
                let mut guard = Guard(traces.dropped, false);
                traces.started.fetch_add(1, Ordering::SeqCst);
                let Args { end } = args(&call)?;
                call.log(LogLevel::Debug, "too low").await;
                call.progress_message(1.0, 2.0, "half\nway").await;
                call.log(LogLevel::Warning, json!({"n": 1})).await;
                match end.as_deref() {
                    Some("ask") => {
                        let _: Confirm = ctx.ask("ok", "Go on?").await;
                    }
                    Some("fail") => return Err(ToolError::protocol(-32602, "no")),
                    Some("panic") => panic!("secret"),
                    Some("never") => std::future::pending().await,
                    _ => {}
                }
                guard.1 = true;
                Ok(ToolResult::text("done"))
            }
        })
}

/// Waits before its commit, or in it, when told to.
pub(crate) fn book(traces: &Traces) -> Tool {
    #[derive(Deserialize, JsonSchema)]
    struct Args {
        wait_before: Option<bool>,
        wait_in: Option<u64>,
    }
    let traces = traces.clone();
    ToolDef::new("book")
        .args::<Args>()
        .commits()
        .handler(move |ctx: Ctx, call: Call| {
            let traces = traces.clone();
            async move {
                let mut guard = Guard(traces.dropped, false);
                let args: Args = args(&call)?;
                if args.wait_before == Some(true) {
                    std::future::pending::<()>().await;
                }
                let _c = commit(ctx).await;
                traces.runs.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(args.wait_in.unwrap_or(0))).await;
                traces.effects.fetch_add(1, Ordering::SeqCst);
                guard.1 = true;
                Ok(ToolResult::text("booked"))
            }
        })
}

/// A server with these tools that anybody may reach.
pub(crate) fn server(world: &Arc<TestWorld>, traces: &Traces) -> Server {
    Server::new("test", "1.0.0")
        .tools([
            close_ticket(traces),
            now(),
            run_query(),
            chatty(traces),
            book(traces),
        ])
        .keys(key(1))
        .world(Arc::clone(world) as Arc<dyn World>)
        .time_limit(Duration::from_secs(5))
        .allow_anonymous_commits()
}

/// The `_meta` of a client that can be asked everything.
pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {
            "elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {}
        }
    })
}

/// A request with that `_meta`, unless the params bring their own.
pub(crate) fn request(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    if params.get("_meta").is_none() {
        params["_meta"] = meta();
    }
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

pub(crate) fn call(name: &str, arguments: Value) -> Value {
    request(
        1,
        "tools/call",
        json!({"name": name, "arguments": arguments}),
    )
}

/// Sends a line and gives back everything that comes, parsed.
pub(crate) async fn all(endpoint: &Endpoint, request: Request) -> Vec<Value> {
    let parse = |bytes: &[u8]| serde_json::from_slice(bytes).unwrap();
    match endpoint.handle(request).await {
        Response::Json(reply) => vec![parse(reply.body())],
        Response::Events(mut events) => {
            let mut messages = Vec::new();
            while let Some(message) = events.next().await {
                messages.push(parse(&message));
            }
            messages
        }
        Response::Accepted | Response::Nothing => Vec::new(),
    }
}

/// Sends a line and gives back the one answer.
pub(crate) async fn send(endpoint: &Endpoint, message: &Value) -> Value {
    let mut messages = all(endpoint, Request::line(message.to_string())).await;
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages.remove(0)
}

/// A list that observers fill.
pub(crate) type Seen = Arc<Mutex<Vec<String>>>;
