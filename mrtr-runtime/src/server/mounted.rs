//! Building a server whose tools another server calls.

use std::sync::Arc;

use crate::handler::{Handler, HandlerKind};
use crate::tool::Listing;

use super::bounds::Bounds;
use super::build::Listener;
use super::{BuildError, Endpoint, Problem, Registered, Server};

/// Why prompts and resources are not mounted, and what to do about it.
const TOOLS_ONLY: &str =
    "the other server hands on answers and state of tools only\n  help: serve it with mrtr";

/// A built server without a transport of its own; `T` is a tool as the other server lists it.
pub(crate) struct Mounted<T> {
    pub(crate) endpoint: Endpoint,
    pub(crate) tools: Vec<T>,
    bounds: Bounds,
}

impl Server {
    /// Builds the server for another one, which has one client at the other end of its pipe
    /// (`local`), or lets in whoever it lets in. `listed` reads a tool in the other server's terms.
    pub(crate) fn build_mounted<T>(
        self,
        local: bool,
        listed: impl Fn(&Listing) -> Result<T, String>,
    ) -> Result<Mounted<T>, BuildError> {
        let (mut tools, mut problems) = (Vec::new(), Vec::new());
        for listing in self.tools.iter().map(|tool| &tool.listing) {
            match listed(listing) {
                Ok(tool) => tools.push(tool),
                Err(why) => problems.push(Problem::NotMounted {
                    kind: HandlerKind::Tool.noun(),
                    name: listing.name.into(),
                    why,
                }),
            }
        }
        let bounds = self.bounds.clone();
        let endpoint = self.build_for(Listener::Mounted { local })?;
        BuildError::of(problems)?;
        Ok(Mounted {
            endpoint,
            tools,
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
            why: TOOLS_ONLY.into(),
        }));
    }
}

impl<T> Mounted<T> {
    /// A handler that comes with a request, with the limits of the server.
    pub(crate) fn register(&self, handler: &Handler) -> Arc<Registered> {
        Arc::new(self.bounds.register(handler, Vec::new()))
    }
}
