//! A handler: what tools, prompts and resources have in common.

mod define;

use std::sync::Arc;

use mrtr_core::form::FormError;
use mrtr_core::state::Kind;

use crate::call::Call;
use crate::content::ToolResult;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::from_call::Needs;
use crate::run::Working;
use crate::tool::{ArgumentCheck, AskDef};

pub(crate) use define::Def;

/// What a handler is on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HandlerKind {
    /// A tool: its failures are results that the model reads.
    Tool,
}

impl HandlerKind {
    /// The word for it in texts.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Tool => "tool",
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
}

impl Output {
    /// Whether it tells of a failure.
    pub(crate) fn is_error(&self) -> bool {
        match self {
            Self::Tool(result) => result.is_error,
        }
    }
}

/// What a run of a handler comes to.
pub(crate) type HandlerResult = Result<Output, ToolError>;

impl Handler {
    /// Starts the function for one request, unless the arguments break the published schema.
    /// Nothing of it runs before the first poll.
    pub(crate) fn start(&self, ctx: Ctx, call: Call) -> Working {
        if let Err(wrong) = self.arguments.run(call.0.arguments.as_deref()) {
            return Box::pin(std::future::ready(Err(ToolError::user(wrong))));
        }
        let run = Arc::clone(&self.run);
        Box::pin(async move { run(ctx, call).await })
    }

    /// The kinds of question that every call asks.
    pub(crate) fn required_kinds(&self) -> impl Iterator<Item = Kind> {
        self.asks
            .iter()
            .filter(|ask| ask.required)
            .map(|ask| ask.kind)
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
