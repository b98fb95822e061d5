//! The words of a question.

use std::fmt::Display;

use mrtr_core::text;

/// The words of a question: text, or a template whose holes are kept short.
///
/// Every message is cleaned before it goes out: controls, direction marks and invisible characters
/// are shown as escapes, and it is at most 4 KiB long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message(String);

impl Message {
    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&String> for Message {
    fn from(text: &String) -> Self {
        Self(text.clone())
    }
}

impl From<std::borrow::Cow<'_, str>> for Message {
    fn from(text: std::borrow::Cow<'_, str>) -> Self {
        Self(text.into_owned())
    }
}

impl From<Template> for Message {
    fn from(template: Template) -> Self {
        Self(template.0)
    }
}

/// A message put together from the author's words and values that may come from anywhere: each
/// value is one line of at most 120 characters, so that none can push the author's words away.
#[derive(Debug, Clone)]
pub struct Template(String);

/// Most messages are shorter than this, so that they need not grow.
const USUAL_BYTES: usize = 120;

impl Default for Template {
    fn default() -> Self {
        Self(String::with_capacity(USUAL_BYTES))
    }
}

impl Template {
    /// Adds words of the author's.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.0.push_str(text);
        self
    }

    /// Adds a value.
    #[must_use]
    pub fn hole(mut self, value: impl Display) -> Self {
        text::push_hole(&mut self.0, value);
        self
    }

    /// The message.
    #[must_use]
    pub fn finish(self) -> Message {
        self.into()
    }
}
