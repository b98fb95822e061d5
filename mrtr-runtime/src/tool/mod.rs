//! A tool: what is published of it, what it needs, and how it runs.

mod arguments;
mod check;
mod define;
mod listing;

use std::sync::Arc;

use mrtr_core::form::FormError;
use mrtr_core::state::Kind;

use crate::call::Call;
use crate::content::ToolResult;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::from_call::Needs;
use crate::run::Working;

pub use arguments::{Args, args};
pub(crate) use check::ArgumentCheck;
pub use define::{AskDef, ToolDef};
pub(crate) use listing::Listing;

/// A tool, ready to be given to a server. `#[tool]` makes a function that returns one.
#[must_use = "a tool does nothing until a server has it: `.tool(..)`"]
#[derive(Clone)]
pub struct Tool {
    pub(crate) listing: Listing,
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
    handler: Handler,
}

type Handler = Arc<dyn Fn(Ctx, Call) -> Working + Send + Sync>;

impl Tool {
    /// The name on the wire.
    #[must_use]
    pub fn name(&self) -> &str {
        self.listing.name
    }

    /// Starts the handler for one request, unless the arguments break the published schema.
    /// Nothing of the handler runs before the first poll.
    pub(crate) fn start(&self, ctx: Ctx, call: Call) -> Working {
        if let Err(wrong) = self.arguments.run(call.0.arguments.as_deref()) {
            return Box::pin(std::future::ready(Err(ToolError::user(wrong))));
        }
        let handler = Arc::clone(&self.handler);
        Box::pin(async move { handler(ctx, call).await })
    }

    /// The kinds of question that every call of the tool asks.
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

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

/// Something that can be given to [`Server::tool`](crate::Server::tool): a function made by
/// `#[tool]`, or what it returns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool",
    label = "not made by `#[tool]`",
    note = "put `#[tool]` on the `async fn`, and give its name without calling it: `.tool(book)`",
    note = "methods of an impl with `#[handlers]` are given together: `.handlers(desk)`"
)]
pub trait IntoTool {
    /// The tool.
    fn into_tool(self) -> Tool;
}

impl IntoTool for Tool {
    fn into_tool(self) -> Tool {
        self
    }
}

impl<F: FnOnce() -> Tool> IntoTool for F {
    fn into_tool(self) -> Tool {
        self()
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
    fn handlers(self: Arc<Self>) -> Vec<Tool>;
}

/// What a handler comes to.
pub(crate) type HandlerResult = Result<ToolResult, ToolError>;
