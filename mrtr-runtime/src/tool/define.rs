//! How an expansion of `#[tool]` says what the tool is.

use std::future::Future;
use std::sync::Arc;

use mrtr_core::form::FormError;
use mrtr_core::question::What;
use mrtr_core::state::Kind;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::ask::Typed;
use crate::call::Call;
use crate::ctx::Ctx;
use crate::from_call::{FromCall, Needs};
use crate::result::IntoToolResult;
use crate::schema;

use super::check::ArgumentCheck;
use super::listing::{Annotations, Listing};
use super::{HandlerResult, Tool};

/// An ask that the tool's source declares.
#[derive(Clone)]
#[must_use]
pub struct AskDef {
    pub(crate) key: &'static str,
    pub(crate) kind: Kind,
    /// Every path asks it.
    pub(crate) required: bool,
    pub(crate) check: fn(&str) -> Result<What, FormError>,
}

impl AskDef {
    /// A form ask.
    pub fn form<T>(typed: &Typed<T>, key: &'static str) -> Self {
        Self {
            key,
            kind: Kind::Form,
            required: false,
            check: typed.what,
        }
    }

    /// Marks it as asked on every path.
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }
}

impl std::fmt::Debug for AskDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AskDef")
            .field("key", &self.key)
            .field("required", &self.required)
            .finish()
    }
}

/// A tool being put together.
#[derive(Debug)]
#[must_use]
pub struct ToolDef {
    name: &'static str,
    title: Option<&'static str>,
    description: Option<&'static str>,
    annotations: Annotations,
    meta: Option<Box<RawValue>>,
    headers: Vec<(&'static str, &'static str)>,
    input: Value,
    constrained: bool,
    order: &'static [&'static str],
    output: Option<Box<RawValue>>,
    asks: Vec<AskDef>,
    commits: bool,
    takeover: bool,
    needs: Needs,
    flow_ttl: Option<u64>,
    round_ttl: Option<u64>,
    time_limit: Option<u64>,
}

impl ToolDef {
    /// A tool of this name.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            title: None,
            description: None,
            annotations: Annotations::default(),
            meta: None,
            headers: Vec::new(),
            input: serde_json::json!({"type": "object", "additionalProperties": false}),
            constrained: true,
            order: &[],
            output: None,
            asks: Vec::new(),
            commits: false,
            takeover: false,
            needs: Needs::default(),
            flow_ttl: None,
            round_ttl: None,
            time_limit: None,
        }
    }

    /// The name for people.
    pub fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// What the model reads.
    pub fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// The hint that it changes nothing.
    pub fn read_only(mut self, hint: bool) -> Self {
        self.annotations.read_only = Some(hint);
        self
    }

    /// The hint that it may destroy something.
    pub fn destructive(mut self, hint: bool) -> Self {
        self.annotations.destructive = Some(hint);
        self
    }

    /// The hint that doing it twice is like doing it once.
    pub fn idempotent(mut self, hint: bool) -> Self {
        self.annotations.idempotent = Some(hint);
        self
    }

    /// The hint that it reaches outside.
    pub fn open_world(mut self, hint: bool) -> Self {
        self.annotations.open_world = Some(hint);
        self
    }

    /// The tool's `_meta`.
    pub fn meta(mut self, meta: &Value) -> Self {
        self.meta = RawValue::from_string(schema::write(meta, &[])).ok();
        self
    }

    /// An argument that HTTP clients mirror in the header `Mcp-Param-<header>`.
    pub fn header(mut self, argument: &'static str, header: &'static str) -> Self {
        self.headers.push((argument, header));
        self
    }

    /// No arguments: what is sent is refused by the published schema.
    pub fn no_args(self) -> Self {
        self
    }

    /// The type of the arguments.
    pub fn args<T: JsonSchema + DeserializeOwned>(mut self) -> Self {
        (self.input, self.constrained) = schema::of_arguments::<T>();
        self.order = schema::field_order::<T>();
        self
    }

    /// What it returns.
    pub fn output<T: IntoToolResult>(mut self) -> Self {
        self.output = T::output_schema()
            .and_then(|output| RawValue::from_string(schema::write(output.as_value(), &[])).ok());
        self
    }

    /// An injected parameter.
    pub fn param<T: FromCall>(mut self) -> Self {
        T::needs(&mut self.needs);
        self
    }

    /// An ask that the source declares.
    pub fn ask(mut self, ask: AskDef) -> Self {
        self.asks.push(ask);
        self
    }

    /// It contains a commit.
    pub fn commits(mut self) -> Self {
        self.commits = true;
        self
    }

    /// Its commit may be taken over from a holder that vanished: all it does is idempotent.
    pub fn idempotent_commit(mut self) -> Self {
        self.takeover = true;
        self
    }

    /// How long its flows last, in milliseconds.
    pub fn flow_ttl_ms(mut self, ms: u64) -> Self {
        self.flow_ttl = Some(ms);
        self
    }

    /// How long its questions wait, in milliseconds.
    pub fn round_ttl_ms(mut self, ms: u64) -> Self {
        self.round_ttl = Some(ms);
        self
    }

    /// How long one run may take, in milliseconds.
    pub fn time_limit_ms(mut self, ms: u64) -> Self {
        self.time_limit = Some(ms);
        self
    }

    /// The function itself, which makes it a tool.
    pub fn handler<F, R>(mut self, handler: F) -> Tool
    where
        F: Fn(Ctx, Call) -> R + Send + Sync + 'static,
        R: Future<Output = HandlerResult> + Send + 'static,
    {
        for (argument, header) in &self.headers {
            if let Some(property) = self.input.pointer_mut(&format!("/properties/{argument}")) {
                property["x-mcp-header"] = Value::String((*header).to_owned());
            }
        }
        let input = schema::write(&self.input, self.order);
        Tool {
            listing: Listing {
                name: self.name,
                title: self.title,
                description: self.description,
                input_schema: RawValue::from_string(input).expect("a written schema is JSON"),
                output_schema: self.output,
                annotations: self.annotations,
                meta: self.meta,
                headers: self.headers,
            },
            asks: self.asks,
            commits: self.commits,
            takeover: self.takeover,
            needs: self.needs,
            flow_ttl: self.flow_ttl,
            round_ttl: self.round_ttl,
            time_limit: self.time_limit,
            arguments: ArgumentCheck::new(&self.input, self.constrained),
            handler: Arc::new(move |ctx, call| Box::pin(handler(ctx, call))),
        }
    }
}
