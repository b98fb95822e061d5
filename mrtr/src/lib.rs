//! MCP tools that ask: one annotated async function becomes a re-entrant handler for multi
//! round-trip requests (MCP 2026-07-28).

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

#[doc = include_str!("docs/kinds.md")]
pub mod kinds {}

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
