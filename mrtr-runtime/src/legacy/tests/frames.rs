//! Whole conversations on older revisions, frame by frame, as they are kept in `vectors/frames.jsonl`.
//!
//! Ids of the server's own requests and names of its links are drawn: the frames call them `srv-..`
//! and `el-..`. What the SDK adds to each request, a progress token, is left out.

use std::collections::HashMap;

use mrtr_core::consent::Consented;
use mrtr_core::form::{Field, FormAnswer, Format};
use mrtr_core::roots::Roots;
use mrtr_core::sampling::{Sample, Sampled};
use serde::Serialize;

use super::line::Client;
use super::*;
use crate::__private::ResourceDef;
use crate::error::ToolError;
use crate::resource::ResourceContents;
use crate::result::{IntoToolResult, Json};

#[derive(Deserialize)]
struct Conversation {
    why: String,
    frames: Vec<Frame>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Frame {
    /// What the client sends.
    Client(Value),
    /// What comes next.
    Server(Value),
    /// What comes next, in any order.
    Any(Vec<Value>),
}

/// What the names in the frames stand for in this run.
#[derive(Default)]
struct Names(HashMap<String, Value>);

impl Names {
    /// The message with the drawn values in the place of their names.
    fn filled_in(&self, mut message: Value) -> Value {
        if let Some(id) = message.get_mut("id")
            && let Some(drawn) = id.as_str().and_then(|name| self.0.get(name))
        {
            *id = drawn.clone();
        }
        message
    }

    /// What came, with the names of the expected frame in the place of what was drawn.
    fn named(&mut self, mut came: Value, expected: &Value) -> Value {
        if let Some(params) = came.get_mut("params").and_then(Value::as_object_mut) {
            params.remove("_meta");
            if params.is_empty() {
                came.as_object_mut().unwrap().remove("params");
            }
        }
        for pointer in ["/id", "/params/elicitationId", "/params/requestId"] {
            let Some(name) = expected.pointer(pointer).and_then(Value::as_str) else {
                continue;
            };
            if let Some(drawn) = came.pointer_mut(pointer) {
                let known = self.0.entry(name.into()).or_insert_with(|| drawn.clone());
                if known == drawn {
                    *drawn = name.into();
                }
            }
        }
        came
    }
}

fn tool(name: &'static str, what: impl Fn(Ctx) -> Answering + Send + Sync + 'static) -> Tool {
    ToolDef::new(name)
        .no_args()
        .handler(move |ctx: Ctx, _: Call| what(ctx))
}

type Answering = std::pin::Pin<Box<dyn Future<Output = Result<ToolResult, ToolError>> + Send>>;

fn close_ticket() -> Tool {
    #[derive(Deserialize, JsonSchema)]
    struct Ticket {
        ticket: u64,
    }
    ToolDef::new("close_ticket")
        .args::<Ticket>()
        .handler(|ctx: Ctx, call: Call| async move {
            let Ticket { ticket } = args(&call)?;
            let ok: Confirm = ctx.ask("ok", format!("Close ticket {ticket}?")).await;
            let what = if ok.yes() { "closed" } else { "left open" };
            Ok(ToolResult::text(format!("Ticket {ticket} {what}.")))
        })
}

async fn details(ctx: Ctx) -> Result<ToolResult, ToolError> {
    let fields = [
        Field::choice("sev", [("s1", "Outage"), ("s2", "Degraded")]),
        Field::integer("n", 1..=9).or(3),
        Field::formatted("mail", Format::Email).optional(),
        Field::boolean("ok").or(false),
    ];
    let form: FormAnswer = ctx.ask_form("details", "Details?", fields).await;
    let (sev, n, ok) = (form.text("sev"), form.integer("n"), form.boolean("ok"));
    let text = format!("{} {} {}", sev.unwrap(), n.unwrap(), ok.unwrap());
    Ok(ToolResult::text(text))
}

async fn calendar(ctx: Ctx) -> Result<ToolResult, ToolError> {
    let url = "https://mcp.example.org/connect?flow=Zk9w3";
    let page: Answer<Consented> = ctx.url("page", "Connect your calendar.", url).await;
    Ok(ToolResult::text(format!("{page:?}")))
}

async fn risks(ctx: Ctx) -> Result<ToolResult, ToolError> {
    let sample = Sample::new("Name three risks.").max_tokens(120);
    let said: Option<Sampled> = ctx.sample("risks", sample).await;
    Ok(ToolResult::text(
        said.map_or("refused".into(), |said| said.text()),
    ))
}

async fn workspace(ctx: Ctx) -> Result<ToolResult, ToolError> {
    let roots: Roots = ctx.roots("roots").await;
    let paths = roots.iter().map(|root| root.path().display().to_string());
    Ok(ToolResult::text(paths.collect::<Vec<_>>().join(" ")))
}

#[derive(Serialize, JsonSchema)]
struct Count {
    n: u8,
}

fn server() -> Server {
    let server = Server::new("frames", "1.0.0")
        .instructions("Ticket tools.")
        .url_hosts(["mcp.example.org"])
        .keys(crate::fixture::key(1));
    let changes = server.changes();
    let report = ResourceDef::at("report", "vault://reports/q3")
        .handler(|_: Ctx, _| async { Ok(vec![ResourceContents::text("up")]) });
    server.resource(report).tools([
        close_ticket(),
        tool("details", |ctx| Box::pin(details(ctx))),
        tool("calendar", |ctx| Box::pin(calendar(ctx))),
        tool("risks", |ctx| Box::pin(risks(ctx))),
        tool("workspace", |ctx| Box::pin(workspace(ctx))),
        tool("count", |_| {
            Box::pin(async { Json(Count { n: 1 }).into_tool_result() })
        }),
        tool("refuses", |_| {
            let error = ToolError::protocol(-32042, "Calendar connection required");
            Box::pin(async { Err(error.with_data(&json!({"elicitations": []}))) })
        }),
        tool("touch", move |_| {
            changes.resource("vault://reports/q3");
            Box::pin(async { Ok(ToolResult::text("touched")) })
        }),
    ])
}

async fn play(conversation: Conversation) {
    let why = conversation.why;
    let mut client = Client::connect(server());
    let mut names = Names::default();
    for frame in conversation.frames {
        match frame {
            Frame::Client(message) => client.send(&names.filled_in(message)).await,
            Frame::Server(expected) => {
                let came = client.receive().await;
                assert_eq!(names.named(came, &expected), expected, "{why}");
            }
            Frame::Any(mut expected) => {
                while !expected.is_empty() {
                    let came = client.receive().await;
                    let place = expected.iter().position(|expected| *expected == came);
                    let place = place.unwrap_or_else(|| panic!("{why}: {came}"));
                    expected.remove(place);
                }
            }
        }
    }
    client.close().await;
}

#[tokio::test]
async fn every_conversation_goes_as_it_is_kept() {
    for line in include_str!("vectors/frames.jsonl").lines() {
        play(serde_json::from_str(line).expect("a conversation")).await;
    }
}
