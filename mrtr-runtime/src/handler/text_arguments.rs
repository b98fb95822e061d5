//! Reading arguments that are text on the wire: those of prompts and the variables of templates.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::call::Call;
use crate::error::{INVALID_PARAMS, ToolError};

use super::HandlerKind;

/// A type that a text argument can be read as; every `FromStr` whose error can be shown is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from text",
    label = "an argument of a prompt, or a variable of a template, is text",
    note = "use `String`, a number, `bool`, an `Option` of these, or implement `FromStr` with an error that implements `Display`"
)]
pub trait FromText: Sized {
    /// Reads the text.
    ///
    /// # Errors
    /// What is wrong, for whoever sent the text.
    fn from_text(text: &str) -> Result<Self, String>;
}

impl<T: FromStr<Err: fmt::Display>> FromText for T {
    fn from_text(text: &str) -> Result<Self, String> {
        text.parse().map_err(|error: T::Err| error.to_string())
    }
}

/// The arguments of one call, as text.
#[derive(Debug)]
pub struct TextArguments<'a> {
    kind: HandlerKind,
    values: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Values<'a>(#[serde(borrow)] BTreeMap<Text<'a>, Text<'a>>);

/// Reads an object whose values are strings.
pub(crate) fn text_members(json: &str) -> Option<BTreeMap<Cow<'_, str>, Cow<'_, str>>> {
    let Values(values) = serde_json::from_str(json).ok()?;
    Some(
        values
            .into_iter()
            .map(|(name, text)| (name.0, text.0))
            .collect(),
    )
}

/// Reads the call's arguments as text.
///
/// # Errors
/// When one of them is no string.
pub fn text_arguments(call: &Call) -> Result<TextArguments<'_>, ToolError> {
    let kind = call.0.kind;
    let json = call.0.arguments.as_deref().unwrap_or("{}");
    let values = text_members(json)
        .ok_or_else(|| refused(kind, "every argument must be a string".to_owned()))?;
    Ok(TextArguments { kind, values })
}

impl TextArguments<'_> {
    /// An argument that must be there.
    ///
    /// # Errors
    /// When it is missing or does not read as `T`.
    pub fn required<T: FromText>(&self, name: &'static str) -> Result<T, ToolError> {
        self.optional(name)?
            .ok_or_else(|| refused(self.kind, format!("the argument `{name}` is missing")))
    }

    /// An argument that may be left out.
    ///
    /// # Errors
    /// When it is there and does not read as `T`.
    pub fn optional<T: FromText>(&self, name: &'static str) -> Result<Option<T>, ToolError> {
        let Some(text) = self.values.get(name) else {
            return Ok(None);
        };
        let value = T::from_text(text);
        value
            .map(Some)
            .map_err(|error| refused(self.kind, format!("the argument `{name}`: {error}")))
    }
}

/// To the client a resource whose variables do not read does not exist.
fn refused(kind: HandlerKind, message: String) -> ToolError {
    match kind {
        HandlerKind::Resource => ToolError::not_found(message),
        HandlerKind::Tool | HandlerKind::Prompt => ToolError::protocol(INVALID_PARAMS, message),
    }
}
