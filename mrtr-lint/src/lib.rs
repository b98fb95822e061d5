//! The replay-safety lint of mrtr: finds side effects that stand before an ask.
//!
//! A handler runs again from the top for each round, so what stands above an ask happens once per
//! round and before the user agreed. [`check`] walks a handler's body and says where that is so.

mod allow;
mod code;
mod effects;
mod every_path;
mod facts;
mod findings;
mod graph;
mod handler;
mod level;
mod locals;
mod lower;
mod message;
mod reach;
mod source;
mod types;
mod value;

pub use allow::Allow;
pub use code::{Code, Severity};
pub use every_path::asks_on_every_path;
pub use facts::AskSite;
#[doc(hidden)]
pub use findings::graph_size;
pub use findings::{Finding, check};
pub use handler::{Handler, HandlerKind};
pub use level::{Level, Policy, unknown_level};
#[doc(hidden)]
pub use lower::parse_list;
pub use source::Source;
