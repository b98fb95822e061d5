//! Building a server whose tools another server calls.

use std::sync::Arc;

use crate::handler::Handler;
use crate::tool::Listing;

use super::bounds::Bounds;
use super::build::Listener;
use super::{BuildError, Endpoint, Problem, Registered, Server};

/// A built server without a transport of its own.
pub(crate) struct Mounted {
    pub(crate) endpoint: Endpoint,
    /// What the other server lists.
    pub(crate) listings: Vec<Listing>,
    bounds: Bounds,
}

impl Server {
    /// Builds the server for another one, which has one client at the other end of its pipe
    /// (`local`), or lets in whoever it lets in.
    pub(crate) fn build_mounted(self, local: bool) -> Result<Mounted, BuildError> {
        let listings = self.tools.iter().map(|tool| tool.listing.clone()).collect();
        let bounds = self.bounds.clone();
        Ok(Mounted {
            endpoint: self.build_for(Listener::Mounted { local })?,
            listings,
            bounds,
        })
    }

    /// The SDK hands on answers and state of tools only.
    pub(super) fn check_mounted(&self, listener: Listener, problems: &mut Vec<Problem>) {
        if !listener.is_mounted() {
            return;
        }
        let prompts = self.prompts.iter().map(|prompt| &prompt.handler);
        let resources = self.resources.iter().map(|resource| &resource.handler);
        problems.extend(prompts.chain(resources).map(|handler| Problem::NotMounted {
            kind: handler.kind.noun(),
            name: handler.name.into(),
        }));
    }
}

impl Mounted {
    /// A handler that comes with a request, with the limits of the server.
    pub(crate) fn register(&self, handler: &Handler) -> Arc<Registered> {
        Arc::new(self.bounds.register(handler, Vec::new()))
    }
}
