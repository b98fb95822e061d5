//! A prompt: what is published of it, and what it gives back.

mod define;
mod result;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::completion::Completers;
use crate::handler::Handler;

pub use define::PromptDef;
pub use result::{IntoPromptResult, PromptMessage, PromptResult};

/// A prompt, ready to be given to a server. `#[prompt]` makes a function that returns one.
#[must_use = "a prompt does nothing until a server has it: `.prompt(..)`"]
#[derive(Clone)]
pub struct Prompt {
    pub(crate) listing: PromptListing,
    pub(crate) handler: Handler,
    pub(crate) completers: Completers,
}

/// A prompt as `prompts/list` shows it.
///
/// Source: MCP 2026-07-28, server/prompts, "Prompt".
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PromptListing {
    pub(crate) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) arguments: Vec<Argument>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<Box<RawValue>>,
}

/// An argument of a prompt; its values are always text.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'static str>,
    pub(crate) required: bool,
}

impl Prompt {
    /// The name on the wire.
    #[must_use]
    pub fn name(&self) -> &str {
        self.listing.name
    }
}

impl std::fmt::Debug for Prompt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prompt")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

/// Something that can be given to [`Server::prompt`](crate::Server::prompt): a function made by
/// `#[prompt]`, or what it returns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no prompt",
    label = "not made by `#[prompt]`",
    note = "put `#[prompt]` on the `async fn`, and give its name without calling it: `.prompt(review)`",
    note = "methods of an impl with `#[handlers]` are given together: `.handlers(desk)`"
)]
pub trait IntoPrompt {
    /// The prompt.
    fn into_prompt(self) -> Prompt;
}

impl IntoPrompt for Prompt {
    fn into_prompt(self) -> Prompt {
        self
    }
}

impl<F: FnOnce() -> Prompt> IntoPrompt for F {
    fn into_prompt(self) -> Prompt {
        self()
    }
}
