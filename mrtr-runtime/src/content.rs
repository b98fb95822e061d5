//! Content blocks: what a tool result is made of.
//!
//! Source: MCP 2026-07-28, server/tools, "Tool result".

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::resource::ResourceContents;

use crate::meta_key::{self, MetaError};

/// One block of a result's `content`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContentBlock {
    /// Plain text.
    Text(Text),
    /// An image, base64 in `data`.
    Image(Media),
    /// A sound, base64 in `data`.
    Audio(Media),
    /// A resource the client can read.
    ResourceLink(ResourceLink),
    /// A resource, carried along.
    Resource(Embedded),
}

impl ContentBlock {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text {
            text: text.into(),
            annotations: None,
        })
    }

    /// An image block; `mime_type` such as `image/png`.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Image(Media::new(bytes, mime_type))
    }

    /// An audio block; `mime_type` such as `audio/wav`.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Audio(Media::new(bytes, mime_type))
    }

    /// A link to a resource that the client can read by its URI.
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self::ResourceLink(ResourceLink::new(uri, name))
    }

    /// A resource with text, carried in the result.
    pub fn resource_text(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self::embedded(ResourceContents::text(text).uri(uri).mime_type(mime_type))
    }

    /// A resource with bytes, carried in the result.
    pub fn resource_blob(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        bytes: impl AsRef<[u8]>,
    ) -> Self {
        Self::embedded(ResourceContents::blob(bytes).uri(uri).mime_type(mime_type))
    }

    fn embedded(resource: ResourceContents) -> Self {
        Self::Resource(Embedded {
            resource,
            annotations: None,
        })
    }

    /// The text of a block that has nothing else.
    pub(crate) fn plain_text(&self) -> Option<&str> {
        match self {
            Self::Text(Text {
                text,
                annotations: None,
            }) => Some(text),
            _ => None,
        }
    }

    /// Adds hints for the client on whom the block is for and how much it matters.
    #[must_use]
    pub fn annotated(mut self, annotations: ContentAnnotations) -> Self {
        let slot = match &mut self {
            Self::Text(block) => &mut block.annotations,
            Self::Image(block) | Self::Audio(block) => &mut block.annotations,
            Self::ResourceLink(block) => &mut block.annotations,
            Self::Resource(block) => &mut block.annotations,
        };
        *slot = Some(annotations);
        self
    }
}

/// A text block.
#[derive(Debug, Clone, Serialize)]
pub struct Text {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<ContentAnnotations>,
}

/// An image or audio block.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    data: String,
    mime_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<ContentAnnotations>,
}

impl Media {
    fn new(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self {
            data: BASE64_STANDARD.encode(bytes),
            mime_type: mime_type.into(),
            annotations: None,
        }
    }
}

/// A link to a resource.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceLink {
    uri: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<ContentAnnotations>,
}

impl ResourceLink {
    /// A link to a resource; what more there is to say follows, and `.into()` makes it a block.
    #[must_use]
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            annotations: None,
        }
    }

    /// Adds a name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Adds a description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Adds the media type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Adds the size in bytes.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }
}

impl From<String> for ContentBlock {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for ContentBlock {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<ResourceLink> for ContentBlock {
    fn from(link: ResourceLink) -> Self {
        Self::ResourceLink(link)
    }
}

/// A resource inside a result.
#[derive(Debug, Clone, Serialize)]
pub struct Embedded {
    resource: ResourceContents,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<ContentAnnotations>,
}

/// Hints on a block: whom it is for and how much it matters.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContentAnnotations {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    audience: Vec<Role>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_modified: Option<String>,
}

impl ContentAnnotations {
    /// No hints yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds somebody the block is for.
    #[must_use]
    pub fn audience(mut self, role: Role) -> Self {
        self.audience.push(role);
        self
    }

    /// How much the block matters, from 0 to 1; other values are brought into that range.
    #[must_use]
    pub fn priority(mut self, priority: f32) -> Self {
        self.priority = Some(priority.clamp(0.0, 1.0));
        self
    }

    /// When it was last changed, as ISO 8601.
    #[must_use]
    pub fn last_modified(mut self, at: impl Into<String>) -> Self {
        self.last_modified = Some(at.into());
        self
    }
}

/// Whom a block is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// What a tool call gives back.
///
/// On the wire: `CallToolResult` (`content`, `structuredContent`, `isError`, `_meta`).
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    pub(crate) content: Vec<ContentBlock>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) structured_content: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_error: bool,
    #[serde(skip)]
    pub(crate) meta: Vec<(String, Box<RawValue>)>,
}

impl ToolResult {
    /// A result without content.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A result that says one thing.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new().with(ContentBlock::text(text))
    }

    /// A result that tells the model of a failure.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }

    /// Adds a block.
    #[must_use]
    pub fn with(mut self, block: impl Into<ContentBlock>) -> Self {
        self.content.push(block.into());
        self
    }

    /// Sets `structuredContent`, without adding a text block.
    ///
    /// # Errors
    /// When the value does not serialise as JSON.
    pub fn structured(mut self, value: &impl Serialize) -> Result<Self, serde_json::Error> {
        self.structured_content = Some(serde_json::value::to_raw_value(value)?);
        Ok(self)
    }

    /// Adds a member of the result's `_meta`, under a key with a prefix of your own such as
    /// `com.example/rank`.
    ///
    /// # Errors
    /// When the key is not of the form that MCP wants, or has a prefix that MCP keeps for itself,
    /// and when the value does not serialise as JSON.
    pub fn meta(
        mut self,
        key: impl Into<String>,
        value: &impl Serialize,
    ) -> Result<Self, MetaError> {
        let key = key.into();
        meta_key::check(&key)?;
        match serde_json::value::to_raw_value(value) {
            Ok(value) => self.meta.push((key, value)),
            Err(why) => return Err(MetaError::Value { key, why }),
        }
        Ok(self)
    }

    /// Whether it tells of a failure.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// The blocks.
    #[must_use]
    pub fn content(&self) -> &[ContentBlock] {
        &self.content
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_says_what_is_known_of_the_resource() {
        let link = ResourceLink::new("file:///a.csv", "a")
            .title("Accounts")
            .description("all of them")
            .mime_type("text/csv")
            .size(12);
        assert_eq!(
            serde_json::to_string(&ContentBlock::from(link)).unwrap(),
            r#"{"type":"resource_link","uri":"file:///a.csv","name":"a","title":"Accounts","description":"all of them","mimeType":"text/csv","size":12}"#
        );
    }
}
