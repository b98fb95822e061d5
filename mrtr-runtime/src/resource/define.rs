//! How an expansion of `#[resource]` says what the resource is.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;

use crate::call::Call;
use crate::completion::{Completers, Completing, IntoCompletions, completer};
use crate::content::ContentAnnotations;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::handler::{Def, HandlerKind, Output};
use crate::run::Working;

use super::{Address, CacheScope, Caching, Read, Resource, ResourceContents, ResourceListing};

/// A resource being put together.
pub type ResourceDef = Def<ResourceParts>;

/// What only resources have.
#[derive(Debug)]
pub struct ResourceParts {
    address: Address,
    mime_type: Option<&'static str>,
    size: Option<u64>,
    annotations: Option<ContentAnnotations>,
    caching: Caching,
    completers: Completers,
}

impl Def<ResourceParts> {
    /// A resource of this name at one URI.
    pub fn at(name: &'static str, uri: &'static str) -> Self {
        Self::new(name, Address::Uri(uri))
    }

    /// Resources at every URI that a template makes.
    pub fn template(name: &'static str, template: &'static str) -> Self {
        Self::new(name, Address::Template(template))
    }

    fn new(name: &'static str, address: Address) -> Self {
        let parts = ResourceParts {
            address,
            mime_type: None,
            size: None,
            annotations: None,
            caching: Caching::default(),
            completers: Completers::default(),
        };
        Self::of(name, parts)
    }

    /// The media type, such as `text/markdown`.
    pub fn mime_type(mut self, mime_type: &'static str) -> Self {
        self.parts.mime_type = Some(mime_type);
        self
    }

    /// The size in bytes.
    pub fn size(mut self, bytes: u64) -> Self {
        self.parts.size = Some(bytes);
        self
    }

    /// Whom it is for and how much it matters.
    pub fn annotations(mut self, annotations: ContentAnnotations) -> Self {
        self.parts.annotations = Some(annotations);
        self
    }

    /// How long clients may keep what they read, in milliseconds.
    pub fn ttl_ms(mut self, ms: u64) -> Self {
        self.parts.caching.ttl = Duration::from_millis(ms);
        self
    }

    /// Who may share what was read.
    pub fn scope(mut self, scope: CacheScope) -> Self {
        self.parts.caching.scope = Some(scope);
        self
    }

    /// A function that completes a variable of the template.
    pub fn complete<F, R>(mut self, name: &'static str, complete: F) -> Self
    where
        F: Fn(Completing) -> R + Send + Sync + 'static,
        R: Future<Output: IntoCompletions> + Send + 'static,
    {
        self.parts.completers.add(name, completer(complete));
        self
    }

    /// The function itself, which makes it a resource.
    pub fn handler<F, R>(mut self, handler: F) -> Resource
    where
        F: Fn(Ctx, Call) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Vec<ResourceContents>, ToolError>> + Send + 'static,
    {
        let (mime_type, mut caching) = (self.parts.mime_type, self.parts.caching);
        if self.needs_principal() {
            // What one caller may read is not for others, whatever else is said.
            caching.scope = Some(CacheScope::Private);
        }
        let run = Arc::new(move |ctx, call: Call| -> Working {
            let running = handler(ctx, call.clone());
            // An async block would have room for the author's future twice.
            Box::pin(running.map(move |contents| {
                Ok(Output::Read(Read::new(
                    &call, contents?, mime_type, caching,
                )))
            }))
        });
        let (uri, uri_template) = match self.parts.address {
            Address::Uri(uri) => (Some(uri), None),
            Address::Template(template) => (None, Some(template)),
        };
        Resource {
            address: self.parts.address,
            handler: self.core(HandlerKind::Resource, run),
            listing: ResourceListing {
                uri,
                uri_template,
                name: self.name,
                title: self.title,
                description: self.description,
                mime_type,
                size: self.parts.size,
                annotations: self.parts.annotations,
                meta: self.meta,
            },
            completers: self.parts.completers,
        }
    }
}
