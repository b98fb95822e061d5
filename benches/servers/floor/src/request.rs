//! The requests that the floor reads.

use std::borrow::Cow;

use axum::http::HeaderMap;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

const VERSION: &str = "2026-07-28";

/// One JSON-RPC request.
#[derive(Deserialize)]
pub(crate) struct Request<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) id: &'a RawValue,
    #[serde(borrow)]
    pub(crate) method: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) params: Params<'a>,
}

/// Its params; the answers are read when it is known what was asked.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params<'a> {
    #[serde(rename = "_meta", borrow)]
    meta: Meta<'a>,
    #[serde(borrow, default)]
    pub(crate) name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) input_responses: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) request_state: Option<Cow<'a, str>>,
}

/// What a request says of its client.
#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion", borrow)]
    version: Cow<'a, str>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Capabilities,
}

#[derive(Deserialize)]
struct Capabilities {
    elicitation: Option<Elicitation>,
}

#[derive(Deserialize)]
struct Elicitation {
    form: Option<IgnoredAny>,
}

impl Request<'_> {
    /// Whether it is a request of this revision and, over HTTP, its headers say what it says.
    pub(crate) fn is_right(&self, head: Option<&HeaderMap>) -> bool {
        let params = &self.params;
        let version = &params.meta.version;
        let repeats = |head: &HeaderMap| {
            let says = |name: &str, text: Option<&str>| {
                let mut values = head.get_all(name).iter();
                values.next().map(|value| value.as_bytes()) == text.map(str::as_bytes)
                    && values.next().is_none()
            };
            says("mcp-protocol-version", Some(version))
                && says("mcp-method", Some(&self.method))
                && says("mcp-name", params.name.as_deref())
        };
        self.jsonrpc == "2.0" && version == VERSION && head.is_none_or(repeats)
    }
}

impl Params<'_> {
    /// Whether the client can show a form.
    pub(crate) fn shows_forms(&self) -> bool {
        let elicitation = self.meta.capabilities.elicitation.as_ref();
        elicitation.is_some_and(|elicitation| elicitation.form.is_some())
    }
}

/// An answer to a form.
#[derive(Deserialize)]
pub(crate) struct Answer<C> {
    pub(crate) action: Action,
    pub(crate) content: Option<C>,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    Accept,
    Decline,
    Cancel,
}

impl<C> Answer<C> {
    /// What the user has sent, if not a no.
    pub(crate) fn accepted(self) -> Option<C> {
        self.content.filter(|_| self.action == Action::Accept)
    }
}
