//! Who a server is: name, version, titles and icons, as clients see them.
//!
//! Source: MCP 2026-07-28, schema, `Implementation` and `Icon`.

use serde::Serialize;

/// The server's `Implementation` on the wire, and the instructions for the model.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Identity {
    pub(super) name: String,
    pub(super) version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) website_url: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) icons: Vec<Icon>,
    #[serde(skip)]
    pub(super) instructions: Option<String>,
}

/// A picture that clients may show for the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Icon {
    pub(super) src: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<IconTheme>,
}

/// The background that an icon is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum IconTheme {
    /// A light background.
    Light,
    /// A dark background.
    Dark,
}

impl Icon {
    /// An icon at an `https:` URL, or in a `data:` URI; clients load nothing else.
    pub fn new(src: impl Into<String>) -> Self {
        Self {
            src: src.into(),
            mime_type: None,
            sizes: Vec::new(),
            theme: None,
        }
    }

    /// Adds the media type, such as `image/png`.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Adds a size it fits, such as `48x48`, or `any` for pictures that scale.
    #[must_use]
    pub fn size(mut self, size: impl Into<String>) -> Self {
        self.sizes.push(size.into());
        self
    }

    /// Says for which background it is made.
    #[must_use]
    pub fn theme(mut self, theme: IconTheme) -> Self {
        self.theme = Some(theme);
        self
    }
}

impl Identity {
    pub(super) fn new(name: String, version: String) -> Self {
        Self {
            name,
            version,
            title: None,
            website_url: None,
            icons: Vec::new(),
            instructions: None,
        }
    }

    /// The `Implementation` as JSON text.
    pub(super) fn to_json(&self) -> Box<str> {
        serde_json::to_string(self)
            .expect("invariant: an identity serialises")
            .into()
    }
}
