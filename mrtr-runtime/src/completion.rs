//! Completing arguments of prompts and variables of templates while they are typed.
//!
//! Source: MCP 2026-07-28, server/utilities/completion.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use mrtr_core::principal::Principal;
use serde::Serialize;

use crate::error::ToolError;
use crate::shared::Shared;

/// The most values that one answer holds.
pub(crate) const MOST_VALUES: usize = 100;

/// What a completing function is asked: what was typed so far, and what else is known.
///
/// The function is an `async fn(Completing)` that returns the values, best first:
/// a `Vec` or an array of texts, [`Completions`], or a `Result` of one of these.
#[derive(Clone)]
pub struct Completing {
    pub(crate) value: String,
    pub(crate) others: BTreeMap<String, String>,
    pub(crate) principal: Option<Principal>,
    pub(crate) shared: Arc<Shared>,
}

impl Completing {
    /// What was typed so far; it may be empty. It is the client's word, like any argument.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Another argument that was given already, if the client says so.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.others.get(name).map(String::as_str)
    }

    /// The authenticated caller, if there is one.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.principal.as_ref()
    }

    /// The value of this type that the server was given with `.state(..)`.
    ///
    /// # Errors
    /// When there is none.
    pub fn state<T: Clone + Send + Sync + 'static>(&self) -> Result<T, ToolError> {
        let name = std::any::type_name::<T>();
        let state = self.shared.states.get::<T>();
        state.ok_or_else(|| ToolError::internal(format!("no `.state(..)` of type `{name}`")))
    }

    /// Those of the texts that fit what was typed: first the ones that begin with it, then the
    /// ones that contain it; upper and lower case make no difference.
    #[must_use]
    pub fn matching<S: Into<String>>(&self, texts: impl IntoIterator<Item = S>) -> Completions {
        let typed = self.value.to_lowercase();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for text in texts.into_iter().map(Into::into) {
            match text.to_lowercase().find(&typed) {
                Some(0) => first.push(text),
                Some(_) => second.push(text),
                None => {}
            }
        }
        first.append(&mut second);
        Completions::new(first)
    }
}

impl fmt::Debug for Completing {
    /// Says nothing of what was typed or who typed it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Completing").finish_non_exhaustive()
    }
}

/// Values that complete an argument, best first. More than 100 are cut, and the client is told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Completions {
    values: Vec<String>,
    total: usize,
    has_more: bool,
}

impl Completions {
    /// All the values there are.
    pub fn new<S: Into<String>>(values: impl IntoIterator<Item = S>) -> Self {
        let mut values: Vec<String> = values.into_iter().map(Into::into).collect();
        let total = values.len();
        values.truncate(MOST_VALUES);
        Self {
            has_more: total > values.len(),
            values,
            total,
        }
    }

    /// Says that these are the first of so many.
    #[must_use]
    pub fn of_total(mut self, total: usize) -> Self {
        self.total = total.max(self.total);
        self.has_more = self.total > self.values.len();
        self
    }

    /// The values that go out.
    #[must_use]
    pub fn values(&self) -> &[String] {
        &self.values
    }
}

/// A type that a completing function may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of completions",
    label = "a completing function cannot return this",
    note = "it returns a `Vec` or an array of texts, `Completions`, or a `Result` of one of these"
)]
pub trait IntoCompletions {
    /// Makes the list.
    ///
    /// # Errors
    /// When the value is an error.
    fn into_completions(self) -> Result<Completions, ToolError>;
}

impl IntoCompletions for Completions {
    fn into_completions(self) -> Result<Completions, ToolError> {
        Ok(self)
    }
}

impl<S: Into<String>> IntoCompletions for Vec<S> {
    fn into_completions(self) -> Result<Completions, ToolError> {
        Ok(Completions::new(self))
    }
}

impl<S: Into<String>, const N: usize> IntoCompletions for [S; N] {
    fn into_completions(self) -> Result<Completions, ToolError> {
        Ok(Completions::new(self))
    }
}

impl<T: IntoCompletions, E: Into<ToolError>> IntoCompletions for Result<T, E> {
    fn into_completions(self) -> Result<Completions, ToolError> {
        self.map_err(Into::into)?.into_completions()
    }
}

/// A completing function at work.
pub(crate) type CompletionWork =
    Pin<Box<dyn Future<Output = Result<Completions, ToolError>> + Send>>;

/// A completing function, its own types forgotten.
pub(crate) type Completer = Arc<dyn Fn(Completing) -> CompletionWork + Send + Sync>;

/// Forgets the types of a completing function.
pub(crate) fn completer<F, R>(complete: F) -> Completer
where
    F: Fn(Completing) -> R + Send + Sync + 'static,
    R: Future<Output: IntoCompletions> + Send + 'static,
{
    Arc::new(move |completing| {
        let values = complete(completing);
        Box::pin(async move { values.await.into_completions() })
    })
}

/// The completing functions of one handler, by argument.
#[derive(Clone, Default)]
pub(crate) struct Completers(Vec<(&'static str, Completer)>);

impl Completers {
    pub(crate) fn add(&mut self, argument: &'static str, completer: Completer) {
        self.0.push((argument, completer));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, argument: &str) -> Option<&Completer> {
        let found = self.0.iter().find(|(name, _)| *name == argument);
        found.map(|(_, completer)| completer)
    }
}

impl fmt::Debug for Completers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|(name, _)| name))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_hundred_values_are_cut_and_the_client_is_told() {
        let many = Completions::new((0..150).map(|n| n.to_string()));
        let json = serde_json::to_value(&many).unwrap();
        assert_eq!(json["values"].as_array().unwrap().len(), 100);
        assert_eq!(json["total"], 150);
        assert_eq!(json["hasMore"], true);
        let few = serde_json::to_string(&Completions::new(["a"])).unwrap();
        assert_eq!(few, r#"{"values":["a"],"total":1,"hasMore":false}"#);
        let some = serde_json::to_string(&Completions::new(["a"]).of_total(9)).unwrap();
        assert_eq!(some, r#"{"values":["a"],"total":9,"hasMore":true}"#);
    }
}
