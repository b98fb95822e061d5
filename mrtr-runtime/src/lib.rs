//! The runtime of [mrtr](https://docs.rs/mrtr): handlers, the server, the MCP protocol and its
//! transports. Users depend on `mrtr`, which re-exports what they need.

mod ask;
mod call;
mod client;
mod commit;
mod content;
mod ctx;
mod error;
mod from_call;
mod notify;
pub mod observe;
#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod result;
mod run;
mod schema;
mod shared;
mod tool;
mod world;

pub use ask::{Ask, AskAll, Message, Template, Validate};
pub use call::Call;
pub use commit::Commit;
pub use content::{ContentAnnotations, ContentBlock, ResourceLink, Role, ToolResult};
pub use ctx::{Ctx, Scope};
pub use error::ToolError;
#[cfg(feature = "http")]
pub use from_call::{Extension, Parts};
pub use from_call::{FromCall, Needs, State};
pub use mrtr_core::form::{Form, FormField};
pub use mrtr_core::principal::Principal;
pub use mrtr_core::reply::{Answer, Answers, Confirm};
pub use notify::LogLevel;
pub use result::{IntoToolResult, Json};
pub use tool::{Args, Handlers, IntoTool, Tool};
