//! The messages of a conversation with a model.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::json::canonical_text;

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SampleRole {
    /// The one who asks the model.
    User,
    /// The model.
    Assistant,
}

/// One message: who said it, and what.
#[derive(Clone, PartialEq, Serialize)]
pub struct SampleMessage {
    pub(super) role: SampleRole,
    pub(super) content: Vec<SampleBlock>,
}

/// A part of a message.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SampleBlock {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture.
    #[serde(rename_all = "camelCase")]
    Image {
        /// Base64.
        data: String,
        /// Such as `image/png`.
        mime_type: String,
    },
    /// A sound.
    #[serde(rename_all = "camelCase")]
    Audio {
        /// Base64.
        data: String,
        /// Such as `audio/wav`.
        mime_type: String,
    },
    /// The model wants a tool to be used.
    ToolUse(ToolUse),
    /// What a tool came to.
    #[serde(rename_all = "camelCase")]
    ToolResult {
        /// The use that it belongs to.
        tool_use_id: String,
        /// What the tool gave back.
        content: Vec<SampleBlock>,
        /// Whether the tool failed.
        #[serde(default, skip_serializing_if = "is_false")]
        is_error: bool,
    },
}

/// A tool that the model wants to use.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolUse {
    /// The name of this use, for its result.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments, as the model wrote them: not checked against the tool's schema.
    #[serde(serialize_with = "canonical")]
    pub input: Value,
}

impl SampleMessage {
    /// A message of several parts.
    pub fn new(role: SampleRole, content: impl IntoIterator<Item = SampleBlock>) -> Self {
        Self {
            role,
            content: content.into_iter().collect(),
        }
    }
}

impl SampleBlock {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// A picture; `mime_type` such as `image/png`.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Image {
            data: BASE64_STANDARD.encode(bytes),
            mime_type: mime_type.into(),
        }
    }

    /// A sound; `mime_type` such as `audio/wav`.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Audio {
            data: BASE64_STANDARD.encode(bytes),
            mime_type: mime_type.into(),
        }
    }

    /// What a tool gave back, as words.
    pub fn tool_result(of: &ToolUse, text: impl Into<String>) -> Self {
        Self::ToolResult {
            tool_use_id: of.id.clone(),
            content: vec![Self::text(text)],
            is_error: false,
        }
    }

    /// Whether pictures and sounds, here and in tool results, are base64.
    pub(super) fn is_sound(&self) -> bool {
        match self {
            Self::Text { .. } | Self::ToolUse(_) => true,
            Self::Image { data, .. } | Self::Audio { data, .. } => {
                BASE64_STANDARD.decode(data).is_ok()
            }
            Self::ToolResult { content, .. } => content.iter().all(Self::is_sound),
        }
    }
}

/// The order of a `Value`'s members hangs on a feature of serde_json, and this goes on the wire.
pub(super) fn canonical<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    raw(value)
        .map_err(serde::ser::Error::custom)?
        .serialize(serializer)
}

fn raw(value: &Value) -> Result<Box<RawValue>, String> {
    let text = canonical_text(&value.to_string(), crate::json::MAX_DEPTH);
    let text = text.map_err(|error| error.to_string())?;
    RawValue::from_string(text).map_err(|error| error.to_string())
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

/// What was said may be private, so that `Debug` shows kinds only.
impl std::fmt::Debug for SampleBlock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Text { .. } => "Text(..)",
            Self::Image { .. } => "Image(..)",
            Self::Audio { .. } => "Audio(..)",
            Self::ToolUse(_) => "ToolUse(..)",
            Self::ToolResult { .. } => "ToolResult(..)",
        })
    }
}

impl std::fmt::Debug for SampleMessage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}{:?}", self.role, self.content)
    }
}

impl std::fmt::Debug for ToolUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ToolUse({})", crate::text::log_name(&self.name))
    }
}
