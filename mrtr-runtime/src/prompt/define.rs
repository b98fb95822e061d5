//! How an expansion of `#[prompt]` says what the prompt is.

use std::future::Future;
use std::sync::Arc;

use futures_util::FutureExt;

use crate::call::Call;
use crate::completion::{Completers, Completing, IntoCompletions, completer};
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::handler::{Def, HandlerKind, Output};
use crate::run::Working;

use super::{Argument, Prompt, PromptListing, PromptResult};

/// A prompt being put together.
pub type PromptDef = Def<PromptParts>;

/// What only prompts have.
#[derive(Debug, Default)]
pub struct PromptParts {
    arguments: Vec<Argument>,
    completers: Completers,
}

impl Def<PromptParts> {
    /// A prompt of this name.
    pub fn new(name: &'static str) -> Self {
        Self::of(name, PromptParts::default())
    }

    /// An argument; the description is empty where there is none.
    pub fn argument(
        mut self,
        name: &'static str,
        description: &'static str,
        required: bool,
    ) -> Self {
        self.parts.arguments.push(Argument {
            name,
            description: Some(description).filter(|text| !text.is_empty()),
            required,
        });
        self
    }

    /// A function that completes an argument.
    pub fn complete<F, R>(mut self, name: &'static str, complete: F) -> Self
    where
        F: Fn(Completing) -> R + Send + Sync + 'static,
        R: Future<Output: IntoCompletions> + Send + 'static,
    {
        self.parts.completers.add(name, completer(complete));
        self
    }

    /// The function itself, which makes it a prompt.
    pub fn handler<F, R>(mut self, handler: F) -> Prompt
    where
        F: Fn(Ctx, Call) -> R + Send + Sync + 'static,
        R: Future<Output = Result<PromptResult, ToolError>> + Send + 'static,
    {
        let description = self.description;
        let run = Arc::new(move |ctx, call| -> Working {
            let running = handler(ctx, call);
            // An async block would have room for the author's future twice.
            Box::pin(running.map(move |result| {
                let mut result = result?;
                if result.description.is_none() {
                    result.description = description.map(Into::into);
                }
                Ok(Output::Prompt(result))
            }))
        });
        Prompt {
            handler: self.core(HandlerKind::Prompt, run),
            listing: PromptListing {
                name: self.name,
                title: self.title,
                description: self.description,
                arguments: self.parts.arguments,
                meta: self.meta,
            },
            completers: self.parts.completers,
        }
    }
}
