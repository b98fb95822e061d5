//! The only items, beside public traits and types, that expansions name. No part of the public API.

pub use std::{sync::Arc, vec::Vec};

pub use mrtr_core::form;
pub use mrtr_core::key::AskKey;
pub use {schemars, serde, serde_json};

pub use crate::ask::{Template, Typed};
pub use crate::commit::commit;
pub use crate::tool::{AskDef, ToolDef, args};

use mrtr_core::reply::{Answers, FormQuestion};

use crate::call::Call;
use crate::content::ToolResult;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::from_call::FromCall;
use crate::result::IntoToolResult;

/// An empty message template.
#[must_use]
pub fn template() -> Template {
    Template::default()
}

/// Checks that a form can ask for the type; the only place where an expansion does.
#[must_use]
pub fn as_form<T: Answers<FormQuestion>>() -> Typed<T> {
    Typed::of()
}

/// Makes an injected parameter.
///
/// # Errors
/// Those of the parameter's type.
pub async fn from_call<T: FromCall>(ctx: &Ctx, call: &Call) -> Result<T, ToolError> {
    T::from_call(ctx, call).await
}

/// Makes the result of what the author's function returned.
///
/// # Errors
/// When the function returned an error.
pub fn into_tool_result<T: IntoToolResult>(value: T) -> Result<ToolResult, ToolError> {
    value.into_tool_result()
}
