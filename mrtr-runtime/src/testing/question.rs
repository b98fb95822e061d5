//! A question as it came to the client, and how it is shown to whoever reads a failing test.

use std::fmt;

use super::sample;
use super::tree::Tree;

/// A question as it came to the client.
#[derive(Clone, PartialEq)]
pub struct Question {
    key: String,
    request: Tree,
}

impl Question {
    pub(super) fn new(key: String, request: Tree) -> Self {
        Self { key, request }
    }

    /// The name that its answer has.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What the user reads.
    #[must_use]
    pub fn message(&self) -> &str {
        let message = self.request.at(&["params", "message"]);
        message.and_then(Tree::as_str).unwrap_or_default()
    }

    /// The schema of its form, as JSON text.
    #[must_use]
    pub fn schema(&self) -> String {
        self.form().map(Tree::to_string).unwrap_or_default()
    }

    /// The address that the user is to open, if it is a link.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        self.request.at(&["params", "url"])?.as_str()
    }

    pub(super) fn form(&self) -> Option<&Tree> {
        self.request.at(&["params", "requestedSchema"])
    }

    /// Whether it is a confirmation: one required boolean named `ok`.
    pub(super) fn confirms(&self) -> bool {
        let fields = self.form().and_then(|form| form.get("properties"));
        matches!(
            fields.map(Tree::members),
            Some([(name, field)]) if name == "ok" && field.text("type") == "boolean"
        )
    }

    /// The line of a test that answers it.
    pub(super) fn line(&self) -> String {
        if self.confirms() {
            return format!(".yes({:?})", self.key);
        }
        if self.url().is_some() {
            return format!(".consent({:?})", self.key);
        }
        match self.request.text("method") {
            "sampling/createMessage" => return format!(".sampled({:?}, \"..\")", self.key),
            "roots/list" => return format!(".roots({:?}, [\"file:///..\"])", self.key),
            _ => {}
        }
        let answer = self.form().map(sample::of_form).unwrap_or(Tree::Null);
        match answer.members() {
            // A scalar question has the one field `value`; its answer may be given without it.
            [(name, value)] if name == "value" && value.items().is_empty() => {
                format!(".answer({:?}, {value})", self.key)
            }
            _ => format!(".answer({:?}, json!({answer}))", self.key),
        }
    }
}

impl fmt::Display for Question {
    /// The message and, a line each, the fields.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.message().lines() {
            writeln!(f, "  {line}")?;
        }
        if let Some(url) = self.url() {
            writeln!(f, "    opens {url}")?;
        }
        let form = self.form();
        let required = form.and_then(|form| form.get("required"));
        let required = required.map(Tree::items).unwrap_or_default();
        let fields = form.and_then(|form| form.get("properties"));
        for (name, field) in fields.map(Tree::members).unwrap_or_default() {
            let optional = if required.iter().any(|one| one.as_str() == Some(name)) {
                ""
            } else {
                "optional "
            };
            writeln!(f, "    {name}: {optional}{field}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("key", &self.key)
            .field("message", &self.message())
            .finish_non_exhaustive()
    }
}
