//! What a resource may return: text or bytes, one or several.
//!
//! Source: MCP 2026-07-28, server/resources, "Resource Contents", and server/utilities/caching.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use serde::Serialize;

use crate::call::Call;
use crate::error::ToolError;
use crate::result::Json;

use super::{CacheScope, Caching};

/// What stands at one URI.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceContents {
    /// Empty until the URI that was read is put in.
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(flatten)]
    body: Body,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "lowercase")]
enum Body {
    Text(String),
    Blob(String),
}

impl ResourceContents {
    /// Text, at the URI that is being read.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Body::Text(text.into()))
    }

    /// Bytes, at the URI that is being read.
    pub fn blob(bytes: impl AsRef<[u8]>) -> Self {
        Self::of(Body::Blob(BASE64_STANDARD.encode(bytes)))
    }

    fn of(body: Body) -> Self {
        Self {
            uri: String::new(),
            mime_type: None,
            body,
        }
    }

    /// Says where it stands, if that is not the URI that is being read, as for a part of it.
    #[must_use]
    pub fn uri(mut self, uri: impl Into<String>) -> Self {
        self.uri = uri.into();
        self
    }

    /// The media type; the resource's own otherwise.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }
}

/// What a resource came to, with what clients may do with it. On the wire: `ReadResourceResult`.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) contents: Vec<ResourceContents>,
    pub(crate) caching: Caching,
}

impl Read {
    /// Fills in what the author left out.
    ///
    /// What was read with answers is for this request alone: nobody else gave them.
    pub(super) fn new(
        call: &Call,
        mut contents: Vec<ResourceContents>,
        mime_type: Option<&'static str>,
        caching: Caching,
    ) -> Self {
        for part in &mut contents {
            if part.uri.is_empty() {
                part.uri = call.uri().unwrap_or_default().to_owned();
            }
            if part.mime_type.is_none() {
                part.mime_type = mime_type.map(str::to_owned);
            }
        }
        let caching = if call.round() > 1 || call.0.answered {
            Caching {
                scope: Some(CacheScope::Private),
                ..Caching::default()
            }
        } else {
            caching
        };
        Self { contents, caching }
    }
}

/// A type that a resource may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing that a resource holds",
    label = "a resource cannot return this",
    note = "a resource returns text, bytes (`Vec<u8>`), `mrtr::Json<T>`, `ResourceContents` or a `Vec` of them, an `Option` (`None` is not found), or a `Result` of one of these"
)]
pub trait IntoResourceResult {
    /// Makes the contents.
    ///
    /// # Errors
    /// When the value is an error, or there is nothing.
    fn into_resource_result(self) -> Result<Vec<ResourceContents>, ToolError>;
}

impl IntoResourceResult for ResourceContents {
    fn into_resource_result(self) -> Result<Vec<ResourceContents>, ToolError> {
        Ok(vec![self])
    }
}

impl IntoResourceResult for Vec<ResourceContents> {
    /// No contents at all are no resource: the revision has no other way to say so.
    fn into_resource_result(self) -> Result<Vec<ResourceContents>, ToolError> {
        if self.is_empty() {
            return Err(ToolError::not_found(NOTHING));
        }
        Ok(self)
    }
}

impl IntoResourceResult for String {
    fn into_resource_result(self) -> Result<Vec<ResourceContents>, ToolError> {
        ResourceContents::text(self).into_resource_result()
    }
}

impl IntoResourceResult for &'static str {
    fn into_resource_result(self) -> Result<Vec<ResourceContents>, ToolError> {
        ResourceContents::text(self).into_resource_result()
    }
}

impl IntoResourceResult for Vec<u8> {
    fn into_resource_result(self) -> Result<Vec<ResourceContents>, ToolError> {
        ResourceContents::blob(self).into_resource_result()
    }
}

impl IntoResourceResult for &'static [u8] {
    fn into_resource_result(self) -> Result<Vec<ResourceContents>, ToolError> {
        ResourceContents::blob(self).into_resource_result()
    }
}

impl IntoResourceResult for Bytes {
    fn into_resource_result(self) -> Result<Vec<ResourceContents>, ToolError> {
        ResourceContents::blob(self).into_resource_result()
    }
}

impl<T: Serialize> IntoResourceResult for Json<T> {
    fn into_resource_result(self) -> Result<Vec<ResourceContents>, ToolError> {
        let text = serde_json::to_string(&self.0)?;
        ResourceContents::text(text)
            .mime_type("application/json")
            .into_resource_result()
    }
}

impl<T: IntoResourceResult> IntoResourceResult for Option<T> {
    fn into_resource_result(self) -> Result<Vec<ResourceContents>, ToolError> {
        self.ok_or_else(|| ToolError::not_found(NOTHING))?
            .into_resource_result()
    }
}

impl<T: IntoResourceResult, E: Into<ToolError>> IntoResourceResult for Result<T, E> {
    fn into_resource_result(self) -> Result<Vec<ResourceContents>, ToolError> {
        self.map_err(Into::into)?.into_resource_result()
    }
}

/// What is said of a resource that is not there.
pub(crate) const NOTHING: &str = "resource not found";

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: impl IntoResourceResult) -> String {
        match value.into_resource_result() {
            Ok(contents) => serde_json::to_string(&contents).unwrap(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn text_bytes_and_nothing_are_told_apart() {
        assert_eq!(written("a"), r#"[{"uri":"","text":"a"}]"#);
        assert_eq!(written(vec![0_u8, 255]), r#"[{"uri":"","blob":"AP8="}]"#);
        assert_eq!(
            written(Json([1])),
            r#"[{"uri":"","mimeType":"application/json","text":"[1]"}]"#
        );
        assert_eq!(written(Some("a")), r#"[{"uri":"","text":"a"}]"#);
        assert_eq!(written(None::<String>), NOTHING);
        assert_eq!(written(Vec::<ResourceContents>::new()), NOTHING);
        assert_eq!(
            written(ResourceContents::text("a").uri("x:y")),
            r#"[{"uri":"x:y","text":"a"}]"#
        );
    }
}
