//! A resource: what is published of it, where it is, and what it gives back.

mod catalog;
mod define;
mod result;
mod safety;
mod template;

use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::completion::Completers;
use crate::content::ContentAnnotations;
use crate::handler::Handler;

pub(crate) use catalog::Catalog;
pub use define::ResourceDef;
pub(crate) use result::Read;
pub use result::{IntoResourceResult, ResourceContents};
pub(crate) use template::{UriTemplate, uri_problem};

/// A resource or a template of resources, ready to be given to a server. `#[resource]` makes a
/// function that returns one.
#[must_use = "a resource does nothing until a server has it: `.resource(..)`"]
#[derive(Clone)]
pub struct Resource {
    pub(crate) address: Address,
    pub(crate) listing: ResourceListing,
    pub(crate) handler: Handler,
    pub(crate) completers: Completers,
}

/// Where a resource is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Address {
    /// At one URI.
    Uri(&'static str),
    /// At every URI that this template makes.
    Template(&'static str),
}

impl Address {
    /// The text as it was written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Uri(text) | Self::Template(text) => text,
        }
    }
}

/// A resource as `resources/list` or `resources/templates/list` shows it.
///
/// Source: MCP 2026-07-28, server/resources, "Resource" and "Resource Templates".
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResourceListing {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri_template: Option<&'static str>,
    pub(crate) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) annotations: Option<ContentAnnotations>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<Box<RawValue>>,
}

/// Who may share a result that a client keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheScope {
    /// Everybody: it is the same for all callers.
    Public,
    /// Only the caller who got it.
    Private,
}

/// How long what was read may be kept, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Caching {
    pub(crate) ttl: Duration,
    /// The server's own scope where there is none.
    pub(crate) scope: Option<CacheScope>,
}

impl Resource {
    /// The URI, or the template, on the wire.
    #[must_use]
    pub fn address(&self) -> &str {
        self.address.text()
    }

    /// The name on the wire.
    #[must_use]
    pub fn name(&self) -> &str {
        self.listing.name
    }
}

impl std::fmt::Debug for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resource")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// Something that can be given to [`Server::resource`](crate::Server::resource): a function made by
/// `#[resource]`, or what it returns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no resource",
    label = "not made by `#[resource]`",
    note = "put `#[resource(uri = \"..\")]` on the `async fn`, and give its name without calling it: `.resource(report)`",
    note = "methods of an impl with `#[handlers]` are given together: `.handlers(desk)`"
)]
pub trait IntoResource {
    /// The resource.
    fn into_resource(self) -> Resource;
}

impl IntoResource for Resource {
    fn into_resource(self) -> Resource {
        self
    }
}

impl<F: FnOnce() -> Resource> IntoResource for F {
    fn into_resource(self) -> Resource {
        self()
    }
}
