//! The strict judge of what a server sends, at revision 2026-07-28 and at the older ones.
//!
//! It knows the revisions only, nothing of mrtr: the tests and `cargo xtask clients` hand it every
//! message of a conversation in order, and it says what is wrong with each. The specification's own
//! schema is open in many places; where it is, this judge takes the narrow reading.

mod content;
mod form;
mod input_required;
mod judge;
mod list;
mod members;
mod question;
mod revision;
mod session;
mod strict;
#[cfg(test)]
mod vectors;

pub use judge::Judge;
pub use revision::Revision;
pub use strict::parse;

/// What is wrong with a message, one sentence each.
pub type Faults = Vec<String>;
