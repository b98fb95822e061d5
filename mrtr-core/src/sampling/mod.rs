//! Sampling: what the client's model is asked, and what it answered.
//!
//! Source: MCP 2026-07-28, client/sampling. The revision deprecates it: new servers call a model
//! themselves.

mod answer;
mod block;
mod order;
mod request;

pub use answer::{Sampled, StopReason};
pub use block::{SampleBlock, SampleMessage, SampleRole, ToolUse};
pub use request::{IncludeContext, Sample, SampleTool, ToolChoice};

pub(crate) use answer::check;
