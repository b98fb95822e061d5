//! A handler: what tools, prompts and resources have in common.

mod ask_def;
mod define;
mod text_arguments;

use std::sync::Arc;

use mrtr_core::capability::Capabilities;
use mrtr_core::form::FormError;
use mrtr_core::question::needs_of;
use mrtr_core::state::Kind;

use crate::call::Call;
use crate::completion::Completions;
use crate::content::ToolResult;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::from_call::Needs;
use crate::prompt::{Prompt, PromptResult};
use crate::resource::{Read, Resource};
use crate::run::Working;
use crate::tool::{ArgumentCheck, Tool};

pub use ask_def::AskDef;
pub(crate) use define::Def;
pub(crate) use text_arguments::text_members;
pub use text_arguments::{FromText, TextArguments, text_arguments};

/// What a handler is on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HandlerKind {
    /// A tool: its failures are results that the model reads.
    Tool,
    /// A prompt: its failures are errors.
    Prompt,
    /// A resource: its failures are errors.
    Resource,
}

impl HandlerKind {
    /// The word for it in texts.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
        }
    }
}

/// The function of a handler, and what the server has to know of it before it runs.
#[derive(Clone)]
pub(crate) struct Handler {
    pub(crate) kind: HandlerKind,
    /// The name that logs, observers and records know it by.
    pub(crate) name: &'static str,
    pub(crate) asks: Vec<AskDef>,
    pub(crate) commits: bool,
    /// Its commit is idempotent: it may be taken over from a holder that vanished.
    pub(crate) takeover: bool,
    pub(crate) needs: Needs,
    /// Milliseconds; the server's own where there is none.
    pub(crate) flow_ttl: Option<u64>,
    pub(crate) round_ttl: Option<u64>,
    pub(crate) time_limit: Option<u64>,
    /// What the published schema says of the arguments beyond their types.
    pub(crate) arguments: ArgumentCheck,
    pub(crate) run: HandlerFn,
}

pub(crate) type HandlerFn = Arc<dyn Fn(Ctx, Call) -> Working + Send + Sync>;

/// What a handler gives back, by its kind.
#[derive(Debug)]
pub(crate) enum Output {
    Tool(ToolResult),
    Prompt(PromptResult),
    Read(Read),
    /// No handler gives it, but the function that completes one's argument.
    Completions(Completions),
}

impl Output {
    /// Whether it tells of a failure.
    pub(crate) fn is_error(&self) -> bool {
        match self {
            Self::Tool(result) => result.is_error,
            Self::Prompt(_) | Self::Read(_) | Self::Completions(_) => false,
        }
    }
}

/// What a run of a handler comes to.
pub(crate) type HandlerResult = Result<Output, ToolError>;

impl Handler {
    /// A handler that is made for one request, of which nothing is published.
    #[cfg(feature = "legacy")]
    pub(crate) fn passed(name: &'static str, commits: bool, run: HandlerFn) -> Self {
        let mut handler = Def::of(name, ()).core(HandlerKind::Tool, run);
        handler.commits = commits;
        handler
    }

    /// Starts the function for one request, unless the arguments break the published schema. It is
    /// the author's code from here on: it may panic before its future is there.
    pub(crate) fn start(&self, ctx: Ctx, call: Call) -> Working {
        match self.arguments.run(call.0.arguments.as_deref()) {
            Ok(()) => (self.run)(ctx, call),
            Err(wrong) => Box::pin(std::future::ready(Err(ToolError::user(wrong)))),
        }
    }

    /// What a client must declare for the questions that every call asks.
    pub(crate) fn required_capabilities(&self) -> Capabilities {
        let required = self.asks.iter().filter(|ask| ask.required);
        required.fold(Capabilities::NONE, |all, ask| all.union(needs_of(ask.kind)))
    }

    /// Whether the source has a question that opens a link.
    pub(crate) fn asks_by_url(&self) -> bool {
        self.asks.iter().any(|ask| ask.kind == Kind::Url)
    }

    /// Checks what only shows when types are looked at, for the server's build.
    pub(crate) fn check(&self) -> Result<(), FormError> {
        self.asks
            .iter()
            .try_for_each(|ask| (ask.check)("").map(drop))
    }
}

impl std::fmt::Debug for Handler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handler")
            .field("kind", &self.kind)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// A tool, a prompt or a resource: what the methods of an impl with `#[handlers]` are.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum AnyHandler {
    /// A method with `#[tool]`.
    Tool(Tool),
    /// A method with `#[prompt]`.
    Prompt(Prompt),
    /// A method with `#[resource]`.
    Resource(Resource),
}

impl AnyHandler {
    /// The name on the wire.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Tool(tool) => tool.name(),
            Self::Prompt(prompt) => prompt.name(),
            Self::Resource(resource) => resource.name(),
        }
    }
}

impl From<Tool> for AnyHandler {
    fn from(tool: Tool) -> Self {
        Self::Tool(tool)
    }
}

impl From<Prompt> for AnyHandler {
    fn from(prompt: Prompt) -> Self {
        Self::Prompt(prompt)
    }
}

impl From<Resource> for AnyHandler {
    fn from(resource: Resource) -> Self {
        Self::Resource(resource)
    }
}

/// A type whose methods are handlers; `#[handlers]` on its impl implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no handlers",
    label = "no impl of it has `#[handlers]`",
    note = "put `#[handlers]` on `impl {Self}` and `#[tool]` on its methods"
)]
pub trait Handlers: Send + Sync + 'static {
    /// The handlers, in the order they are written.
    fn handlers(self: Arc<Self>) -> Vec<AnyHandler>;
}
