//! MCP tools that ask: one annotated async function becomes a re-entrant handler for multi
//! round-trip requests (MCP 2026-07-28).
//!
//! ```
//! use mrtr::prelude::*;
//!
//! /// Deletes a note.
//! #[tool]
//! async fn delete(name: String) -> Result<String, ToolError> {
//!     #[ask(message = "Delete {name}?")]
//!     let ok: Confirm;
//!     if !ok.yes() {
//!         return Err(ToolError::user("not deleted"));
//!     }
//!
//!     #[commit]
//!     std::fs::remove_file(&name)?;
//!     Ok(format!("{name} is deleted"))
//! }
//!
//! # fn main() {
//! let server = Server::new("notes", "1.0.0").tool(delete); // `.run().await` serves it
//! # let _ = server;
//! # }
//! ```
//!
//! | page | |
//! |---|---|
//! | [`asking_guide`] | every kind of question, and what its answer is worth |
//! | [`handlers_guide`] | prompts, resources, completions and changes, which ask just so |
//! | [`guarantees`] | what happens once, what does not, and what a repeat is told |
//! | [`lint`] | what must not stand above an ask, finding by finding |
//! | [`serving`] | stdio and HTTP: keys, hosts, callers, limits, ending |
//! | [`revisions`] | clients of older revisions of MCP |
#![cfg_attr(
    feature = "testing",
    doc = "| [`testing`] | a client in the same process, for tests of tools that ask |"
)]
#![cfg_attr(
    not(feature = "testing"),
    doc = "| `testing`, with the feature of that name | a client in the same process, for tests of tools that ask |"
)]

pub use mrtr_macros::{
    Form, ask, asking, commit, effect, handlers, memo, prompt, read_only, resource, tool,
};
pub use mrtr_runtime::*;

#[doc(hidden)]
pub use mrtr_runtime::__private;

#[doc = include_str!("docs/asking.md")]
pub mod asking_guide {}

#[cfg(feature = "testing")]
pub mod testing {
    #![doc = include_str!("docs/testing.md")]
    pub use mrtr_runtime::testing::*;
}

#[doc = include_str!("docs/handlers.md")]
pub mod handlers_guide {}

#[doc = include_str!("docs/serving.md")]
pub mod serving {}

#[doc = include_str!("docs/revisions.md")]
pub mod revisions {}

#[doc = include_str!("docs/guarantees.md")]
pub mod guarantees {}

pub mod lint;

/// What a server's source usually needs.
pub mod prelude {
    pub use mrtr_macros::{
        Form, ask, asking, commit, effect, handlers, memo, prompt, read_only, resource, tool,
    };
    pub use mrtr_runtime::{
        Answer, Args, Call, Commit, Confirm, Consented, ContentBlock, Ctx, Form, FromCall, Json,
        MultiSelect, Principal, Select, Server, State, ToolError, ToolResult,
    };
    #[cfg(feature = "http")]
    pub use mrtr_runtime::{Extension, Parts};
    pub use schemars::JsonSchema;
    pub use serde::{Deserialize, Serialize};
}
