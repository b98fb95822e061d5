//! A JSON reader that loses nothing: it keeps numbers as they are written and finds duplicate keys.
//!
//! `serde_json` silently keeps the last of two equal keys, turns long numbers into floats, and
//! changes its ways with features that any crate in the user's tree can turn on. What goes into
//! a digest or a sealed state must not depend on any of that, so it is read here.

mod canonical;
mod number;
mod parse;

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use crate::text::log_name;

pub(crate) use canonical::write_string;
pub use canonical::{canonical, canonical_text};
pub(crate) use number::canonical_number;

/// The deepest nesting that [`Json::parse`] follows, whatever it is asked for.
pub const MAX_DEPTH: usize = 128;

/// A JSON value that borrows from the text it was read from.
///
/// `Debug` shows the kind only, because the value may be somebody's answer.
#[derive(Clone)]
pub enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it is written, its exponent not longer than 18 digits.
    Number(&'a str),
    /// A string without its escapes.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// An object.
    Object(Members<'a>),
}

/// The members of an object, ascending by the UTF-8 bytes of their keys, each key once.
#[derive(Clone, Default)]
pub struct Members<'a>(Vec<(Cow<'a, str>, Json<'a>)>);

/// Why a text is not JSON that may be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// An object has the same key twice, so that two readers could see two values.
    #[error("the member `{path}` occurs twice")]
    Duplicate {
        /// Where the member is, as a JSON pointer.
        path: String,
    },
    /// Arrays and objects are nested deeper than allowed.
    #[error("the JSON is nested too deep")]
    TooDeep,
    /// The text is not JSON.
    #[error("the text is not JSON at byte {offset}")]
    Syntax {
        /// Where reading stopped, in bytes.
        offset: usize,
    },
    /// A number has an exponent of more than 18 digits, whose value nobody can compare.
    #[error("the exponent of the number at byte {offset} is too long")]
    Exponent {
        /// Where the number begins, in bytes.
        offset: usize,
    },
    /// The value had to be an object.
    #[error("the JSON is not an object")]
    NotAnObject,
}

impl<'a> Json<'a> {
    /// Reads one JSON value, in time linear in the text but for the sorting of keys.
    ///
    /// A scalar has depth 0, an array or object one more than its deepest part; deeper than
    /// `max_depth`, or than [`MAX_DEPTH`], is refused.
    ///
    /// # Errors
    /// The text is not JSON, too deep, has a key twice or a number without comparable value.
    pub fn parse(text: &'a str, max_depth: usize) -> Result<Self, JsonError> {
        parse::document(text, max_depth.min(MAX_DEPTH))
    }

    /// The member of this object with the key; `None` for everything but objects.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        self.as_object()?.get(key)
    }

    /// The members, if this is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Members<'a>> {
        match self {
            Json::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The items, if this is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Json<'a>]> {
        match self {
            Json::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if this is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, if this is a boolean.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The JSON Schema name of the kind, for messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "boolean",
            Json::Number(_) => "number",
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Object(_) => "object",
        }
    }
}

impl<'a> Members<'a> {
    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        let at = self.0.binary_search_by(|(k, _)| (**k).cmp(key)).ok()?;
        Some(&self.0[at].1)
    }

    /// Sorts the members.
    ///
    /// # Errors
    /// Gives back the key that occurs twice.
    fn sorted(mut members: Vec<(Cow<'a, str>, Json<'a>)>) -> Result<Self, Cow<'a, str>> {
        if !members.is_sorted_by(|a, b| a.0 < b.0) {
            members.sort_unstable_by(|a, b| a.0.cmp(&b.0));
            if let Some(pair) = members.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(pair[0].0.clone());
            }
        }
        Ok(Members(members))
    }
}

impl<'a> Deref for Members<'a> {
    type Target = [(Cow<'a, str>, Json<'a>)];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Json({})", self.kind())
    }
}

impl fmt::Debug for Members<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Members({})", self.len())
    }
}

impl JsonError {
    /// The same error seen from one level further out.
    fn within(self, step: impl fmt::Display) -> Self {
        match self {
            JsonError::Duplicate { path } => JsonError::Duplicate {
                path: format!("/{step}{path}"),
            },
            other => other,
        }
    }
}

/// One step of a JSON pointer, short and clean enough for a log line.
fn pointer_step(key: &str) -> String {
    log_name(key).replace('~', "~0").replace('/', "~1")
}
