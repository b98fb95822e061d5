//! A JSON reader that loses nothing: it keeps numbers as they are written and finds duplicate keys.
//!
//! `serde_json` silently keeps the last of two equal keys, turns long numbers into floats, and
//! changes its ways with features that any crate in the user's tree can turn on. What goes into
//! a digest or a sealed state must not depend on any of that, so it is read here.
//!
//! One pass writes down where each value stands ([`Json`]); everything else is looked up there
//! ([`Value`]). Nothing of the text is copied, and most texts cost one allocation however they nest.

mod canonical;
mod number;
mod read;
#[cfg(test)]
mod read_tests;
mod text;
mod value;

use std::borrow::Cow;
use std::fmt;

use crate::text::log_name;

pub(crate) use canonical::write_string;
pub use canonical::{canonical, canonical_text};
pub(crate) use number::canonical_number;
pub use value::{Items, Members, Sorted, Value, View};

/// The deepest nesting that [`Json::parse`] follows, whatever it is asked for.
pub const MAX_DEPTH: usize = 128;

/// A JSON text and where its values stand in it.
///
/// `Debug` shows the kind only, because the value may be somebody's answer.
pub struct Json<'a> {
    text: &'a str,
    /// All values and keys in the order of the text; the first is the whole. Each part of an
    /// object is two nodes, a key and its value.
    nodes: Vec<Node>,
}

/// Where a value is in a [`Json`], to be kept beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place(usize);

/// One value or key. It is kept small, because there may be one for every second byte.
#[derive(Clone, Copy)]
struct Node {
    /// Where it begins in the text.
    start: u32,
    /// Where it ends in the text; 0 while it is being read.
    end: u32,
    /// The node after all that is inside this one; the node around it while it is being read.
    next: u32,
    kind: Kind,
    marks: u8,
    /// 0 for a scalar, otherwise one more than the highest part, and no more than 255.
    height: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    False,
    True,
    Number,
    String,
    Array,
    Object,
}

impl Node {
    /// The string has escapes.
    const ESCAPED: u8 = 1;
    /// It, or something inside it, may not be used: see [`Value::check`].
    const UNUSABLE: u8 = 2;
    /// The object has a key twice.
    const TWICE: u8 = 4;

    fn is(&self, mark: u8) -> bool {
        self.marks & mark != 0
    }
}

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
    /// A number has an exponent of more than 18 digits, as it is written or canonically, whose value
    /// nobody can compare.
    #[error("the exponent of the number at byte {offset} is too long")]
    Exponent {
        /// Where the number begins, in bytes.
        offset: usize,
    },
    /// The value had to be an object.
    #[error("the JSON is not an object")]
    NotAnObject,
    /// The text has 4 GiB or more.
    #[error("the text is too long to be read")]
    TooLong,
}

impl<'a> Json<'a> {
    /// Reads one JSON value that may be used whole.
    ///
    /// A scalar has depth 0, an array or object one more than its deepest part; deeper than
    /// `max_depth`, or than [`MAX_DEPTH`], is refused.
    ///
    /// # Errors
    /// The text is not JSON, too deep, has a key twice or a number without comparable value.
    pub fn parse(text: &'a str, max_depth: usize) -> Result<Self, JsonError> {
        let nodes = read::nodes(text, Some(max_depth.min(MAX_DEPTH)))?;
        Ok(Self { text, nodes })
    }

    /// Reads one JSON value of which only parts may be wanted. Before a part is used, it has to go
    /// through [`Value::check`], or [`Value::repeats_a_key`] if it is an object of which only the
    /// members count.
    ///
    /// # Errors
    /// The text is not JSON, or has a key that is no text because of half a surrogate pair.
    pub fn scan(text: &'a str) -> Result<Self, JsonError> {
        let nodes = read::nodes(text, None)?;
        Ok(Self { text, nodes })
    }

    /// The whole value.
    #[must_use]
    pub fn root(&self) -> Value<'_> {
        self.at(Place(0))
    }

    /// The value at a place that was taken from here.
    #[must_use]
    pub fn at(&self, place: Place) -> Value<'_> {
        Value::new(self, place.0)
    }

    /// [`Value::raw`] of a value of this JSON, for as long as the text lives.
    #[must_use]
    pub fn raw_of(&self, value: Value<'_>) -> &'a str {
        debug_assert!(value.is_of(self), "the value is of another JSON");
        &self.text[value.range()]
    }

    /// [`Value::as_str`] of a value of this JSON, for as long as the text lives.
    #[must_use]
    pub fn str_of(&self, value: Value<'_>) -> Option<Cow<'a, str>> {
        debug_assert!(value.is_of(self), "the value is of another JSON");
        let node = self.nodes.get(value.place().0)?;
        let string = node.kind == Kind::String;
        string.then(|| text::of(self.text, node)).flatten()
    }
}

impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Json({})", self.root().kind())
    }
}

/// One step of a JSON pointer, short and clean enough for a log line.
fn pointer_step(key: &str) -> String {
    log_name(key).replace('~', "~0").replace('/', "~1")
}
