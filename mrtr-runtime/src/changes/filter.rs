//! What a client wants to be told of.

use serde::Serialize;

/// The kinds of change that a subscription is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Filter {
    #[serde(rename = "toolsListChanged", skip_serializing_if = "is_false")]
    pub(crate) tools: bool,
    #[serde(rename = "promptsListChanged", skip_serializing_if = "is_false")]
    pub(crate) prompts: bool,
    #[serde(rename = "resourcesListChanged", skip_serializing_if = "is_false")]
    pub(crate) resources: bool,
    #[serde(
        rename = "resourceSubscriptions",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub(crate) uris: Vec<Box<str>>,
}

fn is_false(wanted: &bool) -> bool {
    !wanted
}

impl Filter {
    /// The URI of the subscription that a changed resource falls under: its own, or one that it is
    /// a part of.
    pub(super) fn covering(&self, uri: &str) -> Option<&str> {
        let covers = |wanted: &str| {
            uri.strip_prefix(wanted).is_some_and(|rest| {
                rest.is_empty() || wanted.ends_with('/') || rest.starts_with('/')
            })
        };
        self.uris
            .iter()
            .map(|wanted| &**wanted)
            .find(|wanted| covers(wanted))
    }
}
