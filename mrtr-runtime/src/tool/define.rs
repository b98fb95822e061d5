//! How an expansion of `#[tool]` says what the tool is.

use std::future::Future;
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::call::Call;
use crate::content::ToolResult;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::handler::{Def, HandlerKind, Output};
use crate::result::IntoToolResult;
use crate::schema;

use super::Tool;
use super::arguments::Arguments;
use super::check::ArgumentCheck;
use super::listing::{Annotations, Listing};

/// A tool being put together.
pub type ToolDef = Def<ToolParts>;

/// What only tools have.
#[derive(Debug)]
pub struct ToolParts {
    annotations: Annotations,
    headers: Vec<(&'static str, &'static str)>,
    input: Value,
    check: ArgumentCheck,
    order: &'static [&'static str],
    output: Option<Box<RawValue>>,
    commits: bool,
    takeover: bool,
}

impl Def<ToolParts> {
    /// A tool of this name.
    pub fn new(name: &'static str) -> Self {
        let parts = ToolParts {
            annotations: Annotations::default(),
            headers: Vec::new(),
            input: serde_json::json!({"type": "object", "additionalProperties": false}),
            check: ArgumentCheck::Nothing,
            order: &[],
            output: None,
            commits: false,
            takeover: false,
        };
        Self::of(name, parts)
    }

    /// The hint that it changes nothing.
    pub fn read_only(mut self, hint: bool) -> Self {
        self.parts.annotations.read_only = Some(hint);
        self
    }

    /// The hint that it may destroy something.
    pub fn destructive(mut self, hint: bool) -> Self {
        self.parts.annotations.destructive = Some(hint);
        self
    }

    /// The hint that doing it twice is like doing it once.
    pub fn idempotent(mut self, hint: bool) -> Self {
        self.parts.annotations.idempotent = Some(hint);
        self
    }

    /// The hint that it reaches outside.
    pub fn open_world(mut self, hint: bool) -> Self {
        self.parts.annotations.open_world = Some(hint);
        self
    }

    /// An argument that HTTP clients mirror in the header `Mcp-Param-<header>`.
    pub fn header(mut self, argument: &'static str, header: &'static str) -> Self {
        self.parts.headers.push((argument, header));
        self
    }

    /// No arguments, which is what a tool has until [`args`](Self::args) says otherwise.
    pub fn no_args(self) -> Self {
        self
    }

    /// The type of the arguments.
    pub fn args<T: Arguments>(mut self) -> Self {
        let (input, constrained) = schema::of_arguments::<T>();
        self.parts.check = ArgumentCheck::new(&input, constrained);
        self.parts.input = input;
        self.parts.order = schema::field_order::<T>();
        self
    }

    /// What it returns.
    pub fn output<T: IntoToolResult>(mut self) -> Self {
        self.parts.output = T::output_schema()
            .and_then(|output| RawValue::from_string(schema::write(output.as_value(), &[])).ok());
        self
    }

    /// It contains a commit.
    pub fn commits(mut self) -> Self {
        self.parts.commits = true;
        self
    }

    /// Its commit may be taken over from a holder that vanished: all it does is idempotent.
    pub fn idempotent_commit(mut self) -> Self {
        self.parts.takeover = true;
        self
    }

    /// The function itself, which makes it a tool.
    pub fn handler<F, R>(mut self, handler: F) -> Tool
    where
        F: Fn(Ctx, Call) -> R + Send + Sync + 'static,
        R: Future<Output = Result<ToolResult, ToolError>> + Send + 'static,
    {
        let run = Arc::new(move |ctx, call| -> crate::run::Working {
            let running = handler(ctx, call);
            // An async block would have room for the author's future twice.
            Box::pin(running.map(|result| result.map(Output::Tool)))
        });
        let core = self.core(HandlerKind::Tool, run);
        let mut parts = self.parts;
        for (argument, header) in &parts.headers {
            if let Some(property) = parts.input.pointer_mut(&format!("/properties/{argument}")) {
                property["x-mcp-header"] = Value::String((*header).to_owned());
            }
        }
        let input = schema::write(&parts.input, parts.order);
        Tool {
            listing: Listing {
                name: self.name,
                title: self.title,
                description: self.description,
                input_schema: RawValue::from_string(input).expect("a written schema is JSON"),
                output_schema: parts.output,
                annotations: parts.annotations,
                meta: self.meta,
                headers: parts.headers,
            },
            handler: crate::handler::Handler {
                commits: parts.commits,
                takeover: parts.takeover,
                arguments: parts.check,
                ..core
            },
        }
    }
}
