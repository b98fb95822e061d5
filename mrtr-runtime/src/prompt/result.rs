//! What a prompt may return: messages, and what becomes one.
//!
//! Source: MCP 2026-07-28, server/prompts, "PromptMessage".

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::content::{ContentBlock, Role};
use crate::error::ToolError;

/// One message of a prompt: who speaks, and one block of any kind.
#[derive(Debug, Clone, Serialize)]
pub struct PromptMessage {
    role: Role,
    content: ContentBlock,
}

impl PromptMessage {
    /// A message of the user.
    pub fn user(content: impl Into<ContentBlock>) -> Self {
        Self {
            role: Role::User,
            content: content.into(),
        }
    }

    /// A message of the model.
    pub fn assistant(content: impl Into<ContentBlock>) -> Self {
        Self {
            role: Role::Assistant,
            content: content.into(),
        }
    }
}

impl From<ContentBlock> for PromptMessage {
    fn from(content: ContentBlock) -> Self {
        Self::user(content)
    }
}

impl From<String> for PromptMessage {
    fn from(text: String) -> Self {
        Self::user(text)
    }
}

impl From<&str> for PromptMessage {
    fn from(text: &str) -> Self {
        Self::user(text)
    }
}

impl<C: Into<ContentBlock>> From<(Role, C)> for PromptMessage {
    fn from((role, content): (Role, C)) -> Self {
        Self {
            role,
            content: content.into(),
        }
    }
}

/// What a prompt gives back. On the wire: `GetPromptResult`.
#[derive(Debug, Clone, Default)]
pub struct PromptResult {
    pub(crate) description: Option<Cow<'static, str>>,
    pub(crate) messages: Vec<PromptMessage>,
    pub(crate) meta: Vec<(String, Box<RawValue>)>,
}

impl PromptResult {
    /// A result without messages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says what this filled-in prompt is; the prompt's own description otherwise.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(Cow::Owned(text.into()));
        self
    }

    /// Adds a message.
    #[must_use]
    pub fn with(mut self, message: impl Into<PromptMessage>) -> Self {
        self.messages.push(message.into());
        self
    }

    /// Adds a member of the result's `_meta`. Keys of MCP's own (`io.modelcontextprotocol/…`)
    /// are the server's and are passed over.
    ///
    /// # Errors
    /// When the value does not serialise as JSON.
    pub fn meta(
        mut self,
        key: impl Into<String>,
        value: &impl Serialize,
    ) -> Result<Self, serde_json::Error> {
        let key = key.into();
        if !key.starts_with("io.modelcontextprotocol/") {
            self.meta
                .push((key, serde_json::value::to_raw_value(value)?));
        }
        Ok(self)
    }

    /// The messages.
    #[must_use]
    pub fn messages(&self) -> &[PromptMessage] {
        &self.messages
    }
}

/// A type that a prompt may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no result of a prompt",
    label = "a prompt cannot return this",
    note = "a prompt returns text, a `ContentBlock`, a `PromptMessage`, a `(Role, content)`, a `Vec` or array of these, a `PromptResult`, or a `Result` of one of these"
)]
pub trait IntoPromptResult {
    /// Makes the result.
    ///
    /// # Errors
    /// When the value is an error.
    fn into_prompt_result(self) -> Result<PromptResult, ToolError>;
}

impl IntoPromptResult for PromptResult {
    fn into_prompt_result(self) -> Result<PromptResult, ToolError> {
        Ok(self)
    }
}

macro_rules! one_message {
    ($($ty:ty)*) => {$(
        impl IntoPromptResult for $ty {
            fn into_prompt_result(self) -> Result<PromptResult, ToolError> {
                Ok(PromptResult::new().with(self))
            }
        }
    )*};
}

one_message! { PromptMessage ContentBlock String &'static str }

impl<C: Into<ContentBlock>> IntoPromptResult for (Role, C) {
    fn into_prompt_result(self) -> Result<PromptResult, ToolError> {
        Ok(PromptResult::new().with(self))
    }
}

impl<M: Into<PromptMessage>> IntoPromptResult for Vec<M> {
    fn into_prompt_result(self) -> Result<PromptResult, ToolError> {
        Ok(PromptResult {
            messages: self.into_iter().map(Into::into).collect(),
            ..PromptResult::default()
        })
    }
}

impl<M: Into<PromptMessage>, const N: usize> IntoPromptResult for [M; N] {
    fn into_prompt_result(self) -> Result<PromptResult, ToolError> {
        Vec::from(self).into_prompt_result()
    }
}

impl<T: IntoPromptResult, E: Into<ToolError>> IntoPromptResult for Result<T, E> {
    fn into_prompt_result(self) -> Result<PromptResult, ToolError> {
        self.map_err(Into::into)?.into_prompt_result()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(result: impl IntoPromptResult) -> String {
        let Ok(result) = result.into_prompt_result() else {
            return "failed".into();
        };
        serde_json::to_string(&result.messages).unwrap()
    }

    #[test]
    fn text_blocks_pairs_and_lists_become_messages() {
        let hi = r#"[{"role":"user","content":{"type":"text","text":"hi"}}]"#;
        assert_eq!(roles("hi"), hi);
        assert_eq!(roles("hi".to_owned()), hi);
        assert_eq!(roles(ContentBlock::text("hi")), hi);
        assert_eq!(roles(PromptMessage::user("hi")), hi);
        assert_eq!(roles([(Role::User, "hi")]), hi);
        assert_eq!(roles(vec!["hi"]), hi);
        assert_eq!(roles(Ok::<_, ToolError>("hi")), hi);
        assert_eq!(
            roles((Role::Assistant, "hi")),
            hi.replace("user", "assistant")
        );
        assert_eq!(roles(Err::<String, _>(ToolError::user("no"))), "failed");
    }
}
