//! A mount being put together.

use std::fmt;

use mrtr_runtime::__mount::Bridge;
#[cfg(feature = "http")]
use mrtr_runtime::Authenticate;
use mrtr_runtime::flow::FlowStore;
use mrtr_runtime::{BuildError, Config, Handlers, IntoTool, KeyRing, Principal, Server};
use rmcp::handler::server::router::tool::ToolRouter;

use crate::Mounted;

/// Tools of mrtr for a server of rmcp: the tools, what they need, and what seals their states.
///
/// Give it everything, then add [`routes`](Mount::routes) to the server's `ToolRouter`, or
/// [`build`](Mount::build) it once for servers that are made anew for each session.
#[must_use = "a mount does nothing until its routes are in a router: `router + mount.routes()?`"]
pub struct Mount {
    server: Server,
    local: bool,
}

impl Mount {
    /// A mount of this name, without tools.
    ///
    /// The name is part of what states are bound to, unless `realm` of
    /// [`settings`](Mount::settings) says otherwise.
    pub fn new(name: impl Into<String>) -> Self {
        // Clients see the name and version of rmcp's server, and nothing of these.
        let server = Server::new(name, env!("CARGO_PKG_VERSION")).server_info_in_results(false);
        Self {
            server,
            local: false,
        }
    }

    /// Adds a tool: a function made by `#[tool]` of mrtr, by its name, without calling it.
    pub fn tool(self, tool: impl IntoTool) -> Self {
        self.settings(|server| server.tool(tool))
    }

    /// Adds the tools of a value whose impl has `#[handlers]`.
    pub fn handlers(self, handlers: impl Handlers) -> Self {
        self.settings(|server| server.handlers(handlers))
    }

    /// A value for the parameters of the type `State<T>`, cloned for each call.
    pub fn state<T: Clone + Send + Sync + 'static>(self, value: T) -> Self {
        self.settings(|server| server.state(value))
    }

    /// The keys that seal the request states. All instances of a server need the same.
    pub fn keys(self, ring: KeyRing) -> Self {
        self.settings(|server| server.keys(ring))
    }

    /// Insists on a random key for this process: no other instance and no later process opens its
    /// states.
    pub fn ephemeral_key(self) -> Self {
        self.settings(Server::ephemeral_key)
    }

    /// Applies settings from outside the program, such as `Config::from_env("MRTR")?`.
    pub fn config(self, config: Config) -> Self {
        self.settings(|server| server.config(config))
    }

    /// Where it is known which flows have been carried out; in the memory of this process otherwise.
    pub fn flows(self, store: impl FlowStore) -> Self {
        self.settings(|server| server.flows(store))
    }

    /// Says who a caller is, from the head of the HTTP request, as [`Server::principal`] does. What
    /// a layer before rmcp's service has found out stands in the head's extensions.
    ///
    /// An error is a JSON-RPC error here: only the layer can answer with the status 401.
    #[cfg(feature = "http")]
    pub fn principal<M>(self, resolver: impl Authenticate<M>) -> Self {
        self.settings(|server| server.principal(resolver))
    }

    /// The caller of every request that does not come over HTTP; nobody otherwise.
    pub fn stdio_principal(self, principal: Principal) -> Self {
        self.settings(|server| server.stdio_principal(principal))
    }

    /// Lets callers nobody knows run tools that commit, also where others can connect.
    pub fn allow_anonymous_commits(self) -> Self {
        self.settings(Server::allow_anonymous_commits)
    }

    /// The server is reached by one process only, at the other end of its pipe, as over stdio. A
    /// random key does then, and nobody has to be known.
    pub fn local(mut self) -> Self {
        self.local = true;
        self
    }

    /// Every other setting of [`Server`], such as `ask_timeout`, `max_rounds` or `url_hosts`. What
    /// concerns its transport or its lists has no effect.
    pub fn settings(mut self, set: impl FnOnce(Server) -> Server) -> Self {
        self.server = set(self.server);
        self
    }

    /// Builds the mount. Do it once: what it knows of flows, and a random key, are the value's own.
    ///
    /// # Errors
    /// Names everything that is wrong, with its remedy: two tools of one name, a `State` never
    /// given, a form that no client can show, no key, a prompt or a resource.
    pub fn build(self) -> Result<Mounted, BuildError> {
        Bridge::new(self.server, self.local).map(Mounted::new)
    }

    /// Builds the mount and gives its tools as routes.
    ///
    /// # Errors
    /// As [`build`](Mount::build).
    pub fn routes<S: Send + Sync + 'static>(self) -> Result<ToolRouter<S>, BuildError> {
        Ok(self.build()?.routes())
    }
}

impl fmt::Debug for Mount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mount")
            .field("server", &self.server)
            .field("local", &self.local)
            .finish()
    }
}
