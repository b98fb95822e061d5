//! Reading a call's arguments into the author's type.

use mrtr_core::json::{MAX_DEPTH, canonical_text};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::call::Call;
use crate::error::ToolError;

/// All arguments of a tool in one struct, in place of a parameter for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Args<T>(pub T);

/// A type that a tool's arguments are read into; the trait exists for its error text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the arguments of a tool",
    label = "lacks `Deserialize` or `JsonSchema`",
    note = "write `#[derive(Deserialize, JsonSchema)]` on the type"
)]
pub trait Arguments: JsonSchema + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema + DeserializeOwned> Arguments for T {}

/// Reads the call's arguments.
///
/// # Errors
/// A tool error that the model can read and mend: what is wrong and where.
pub fn args<T: Arguments>(call: &Call) -> Result<T, ToolError> {
    let text = call.0.arguments.as_deref().unwrap_or("{}");
    let read = serde_json::from_str(text);
    read.or_else(|error| as_integers(text).ok_or_else(|| ToolError::user(invalid(&error))))
}

/// Reads arguments in which an integer is written as `30.0` or `3e1`: it is one to JSON Schema and
/// in the digest of the request, and none to serde.
fn as_integers<T: DeserializeOwned>(text: &str) -> Option<T> {
    let canonical = canonical_text(text, MAX_DEPTH).ok()?;
    serde_json::from_str(&canonical).ok()
}

/// serde's own words without the position, which means nothing to whoever sent a JSON value.
fn invalid(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let words = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(words, _)| words);
    format!("invalid arguments: {words}")
}
