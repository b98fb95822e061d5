//! Tools of mrtr, which ask, inside an existing server of rmcp, the official SDK.
//!
#![doc = include_str!("docs/mounting.md")]

mod asks;
mod mount;
mod mounted;

pub use asks::{AskFn, Asks};
pub use mount::Mount;
pub use mounted::Mounted;

#[doc = include_str!("docs/from_rmcp.md")]
pub mod from_rmcp {}
