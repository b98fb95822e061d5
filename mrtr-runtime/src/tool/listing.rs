//! A tool as `tools/list` shows it.
//!
//! Source: MCP 2026-07-28, server/tools, "Tool".

use serde::Serialize;
use serde_json::value::RawValue;

/// The wire form of a tool; its schemas are JSON text already.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listing {
    pub(crate) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'static str>,
    pub(crate) input_schema: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output_schema: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Annotations::is_empty")]
    pub(crate) annotations: Annotations,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<Box<RawValue>>,
    /// Arguments that HTTP clients mirror in headers: argument and header name.
    #[serde(skip)]
    pub(crate) headers: Vec<(&'static str, &'static str)>,
}

/// Hints on what a tool does. Clients must not trust them.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Annotations {
    #[serde(rename = "readOnlyHint", skip_serializing_if = "Option::is_none")]
    pub(crate) read_only: Option<bool>,
    #[serde(rename = "destructiveHint", skip_serializing_if = "Option::is_none")]
    pub(crate) destructive: Option<bool>,
    #[serde(rename = "idempotentHint", skip_serializing_if = "Option::is_none")]
    pub(crate) idempotent: Option<bool>,
    #[serde(rename = "openWorldHint", skip_serializing_if = "Option::is_none")]
    pub(crate) open_world: Option<bool>,
}

impl Annotations {
    fn is_empty(&self) -> bool {
        self.read_only.is_none()
            && self.destructive.is_none()
            && self.idempotent.is_none()
            && self.open_world.is_none()
    }
}
