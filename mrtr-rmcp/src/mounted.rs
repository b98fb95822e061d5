//! A built mount: its tools as routes, and what lets tools of rmcp ask.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mrtr_runtime::__mount::{Bridge, ToolCall};
use rmcp::handler::server::router::tool::{ToolRoute, ToolRouter};
use rmcp::handler::server::tool::ToolCallContext;

use crate::asks::Way;

/// A built [`Mount`](crate::Mount). Cloning is cheap, and all clones are the same mount.
#[derive(Clone)]
pub struct Mounted(Arc<Bridge>);

impl Mounted {
    pub(crate) fn new(bridge: Bridge) -> Self {
        Self(Arc::new(bridge))
    }

    /// The tools of the mount: `Self::tool_router() + mounted.routes()`.
    ///
    /// A tool of the router that has the same name is replaced, as rmcp does it.
    #[must_use]
    pub fn routes<S: Send + Sync + 'static>(&self) -> ToolRouter<S> {
        let mut router = ToolRouter::new();
        for tool in self.0.tools() {
            let bridge = Arc::clone(&self.0);
            router.add_route(ToolRoute::new_dyn(tool, move |context| {
                let bridge = Arc::clone(&bridge);
                let call = read(context);
                Box::pin(async move { bridge.call(call).await })
            }));
        }
        router
    }

    /// Lets the tools of a router take [`Asks`](crate::Asks): `mounted.asking(Self::tool_router())`.
    #[must_use]
    pub fn asking<S: Send + Sync + 'static>(&self, mut router: ToolRouter<S>) -> ToolRouter<S> {
        for route in router.map.values_mut() {
            let (bridge, inner) = (Arc::clone(&self.0), Arc::clone(&route.call));
            let name = route.attr.name.clone();
            route.call = Arc::new(move |mut context: ToolCallContext<'_, S>| {
                let call = ToolCall {
                    name: name.clone(),
                    arguments: context.arguments.clone(),
                    input_responses: context.input_responses.clone(),
                    request_state: context.request_state.clone(),
                    context: context.request_context.clone(),
                };
                let way = Way::new(&bridge, call);
                context.request_context.extensions.insert(way);
                inner(context)
            });
        }
        router
    }

    /// Waits until no commit is running any more, at most as long as `grace`; says whether that
    /// was long enough. Call it before the process ends, after the last request was taken.
    pub async fn drain(&self, grace: Duration) -> bool {
        self.0.drain(grace).await
    }
}

fn read<S>(context: ToolCallContext<'_, S>) -> ToolCall {
    ToolCall {
        name: context.name,
        arguments: context.arguments,
        input_responses: context.input_responses,
        request_state: context.request_state,
        context: context.request_context,
    }
}

impl fmt::Debug for Mounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mounted").finish_non_exhaustive()
    }
}
