//! The only items, beside public traits and types, that expansions name. No part of the public API.

pub use std::{sync::Arc, vec::Vec};

pub use mrtr_core::form;
pub use mrtr_core::key::AskKey;
pub use {schemars, serde, serde_json};

pub use crate::ask::{Template, Typed};
pub use crate::commit::commit;
pub use crate::content::{ContentAnnotations, Role};
pub use crate::handler::{AskDef, FromText, TextArguments, text_arguments};
pub use crate::prompt::PromptDef;
pub use crate::resource::{CacheScope, ResourceDef};
pub use crate::tool::{ToolDef, args};

use std::future::Future;
use std::pin::Pin;

use mrtr_core::answers::{AnswersForm, AnswersOptions, AnswersRoots, AnswersSample, AnswersUrl};

use crate::call::Call;
use crate::content::ToolResult;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::from_call::FromCall;
use crate::prompt::{IntoPromptResult, PromptResult};
use crate::resource::{IntoResourceResult, ResourceContents};
use crate::result::IntoToolResult;

/// An empty message template.
#[must_use]
pub fn template() -> Template {
    Template::default()
}

/// Checks that a form can ask for the type; the only place where an expansion does.
#[must_use]
pub fn as_form<T: AnswersForm>() -> Typed<T> {
    Typed::of()
}

/// Checks that the type reads a choice known at run time only.
#[must_use]
pub fn as_options<T: AnswersOptions>() -> Typed<T> {
    Typed::of()
}

/// Checks that the type reads the answer to a link.
#[must_use]
pub fn as_url<T: AnswersUrl>() -> Typed<T> {
    Typed::of()
}

/// Checks that the type reads what a model answers.
#[must_use]
pub fn as_sampling<T: AnswersSample>() -> Typed<T> {
    Typed::of()
}

/// Checks that the type reads roots.
#[must_use]
pub fn as_roots<T: AnswersRoots>() -> Typed<T> {
    Typed::of()
}

/// Makes an injected parameter.
///
/// The future is boxed, because then its type says nothing of `T` and a wrong type is one error.
///
/// # Errors
/// Those of the parameter's type.
pub fn from_call<'a, T: FromCall + 'a>(
    ctx: &'a Ctx,
    call: &'a Call,
) -> Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>> {
    Box::pin(T::from_call(ctx, call))
}

/// Makes the result of what the author's function returned.
///
/// # Errors
/// When the function returned an error.
pub fn into_tool_result<T: IntoToolResult>(value: T) -> Result<ToolResult, ToolError> {
    value.into_tool_result()
}

/// Makes the result of what the author's prompt returned.
///
/// # Errors
/// When the function returned an error.
pub fn into_prompt_result<T: IntoPromptResult>(value: T) -> Result<PromptResult, ToolError> {
    value.into_prompt_result()
}

/// Makes the result of what the author's resource returned.
///
/// # Errors
/// When the function returned an error, or nothing.
pub fn into_resource_result<T: IntoResourceResult>(
    value: T,
) -> Result<Vec<ResourceContents>, ToolError> {
    value.into_resource_result()
}
