//! A tool: what is published of it, what it needs, and how it runs.

mod arguments;
mod check;
mod define;
mod listing;

use crate::handler::Handler;

pub use arguments::{Args, args};
pub(crate) use check::ArgumentCheck;
pub use define::ToolDef;
pub(crate) use listing::Listing;

/// A tool, ready to be given to a server. `#[tool]` makes a function that returns one.
#[must_use = "a tool does nothing until a server has it: `.tool(..)`"]
#[derive(Clone)]
pub struct Tool {
    pub(crate) listing: Listing,
    pub(crate) handler: Handler,
}

impl Tool {
    /// The name on the wire.
    #[must_use]
    pub fn name(&self) -> &str {
        self.listing.name
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
