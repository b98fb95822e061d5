//! Forms: what a form asks, and what counts as an answer to it.
//!
//! A form is an ordered list of fields in the subset of JSON Schema that MCP allows for form
//! elicitation. It is made from a Rust type by `#[derive(Form)]`, or by hand from [`Field`]s.
//!
//! # Whole numbers
//! Every integer type keeps its exact bounds when an answer is read. The published schema shows a
//! bound only where JSON numbers of every client are exact, within ±(2^53 - 1): a `u8` says
//! `0..=255`, a `u64` says only `minimum: 0`. Clients that read numbers as doubles would round the
//! larger bounds, and would then let through what they should refuse.

mod check;
mod content;
mod dates;
mod declared;
mod digest;
mod docs;
mod draft;
mod error;
mod field;
mod filled;
mod format;
mod from_schema;
mod memo;
mod offer;
pub mod order;
mod problem;
mod publish;
mod read;
mod scalar;
mod schema;
mod traits;

pub use content::{ContentError, ContentErrorKind, from_content};
pub use declared::{Declared, check_derives, choice_named, declared, declared_or, form_of};
pub use error::FormError;
pub use field::Field;
pub use filled::FormAnswer;
pub use format::Format;
pub use offer::{MultiSelect, Offer, Select, form_of_offers};
pub use problem::{Problem, Rule, reason};
pub use schema::{FormSchema, confirm_form};
pub use traits::{Choice, Described, Form, FormField, InForm, Readable, Single};

/// A JSON value, as the default of a field type is given.
pub use serde_json::Value as Json;

/// The most choices that one field may offer.
pub const MAX_CHOICES: usize = 256;

/// The name of the one field of a scalar form.
pub const VALUE: &str = "value";
