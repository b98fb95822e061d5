//! A server being put together, and the endpoint it becomes.

mod access;
mod bounds;
mod build;
mod config;
mod endpoint;
mod identity;
mod inner;
mod links;
mod log_gate;
mod mirrors;
#[cfg(feature = "legacy")]
mod mounted;
mod problem;
mod register;
mod serve;
#[cfg(all(test, feature = "http"))]
mod tests;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mrtr_core::keyring::KeyRing;
use mrtr_core::principal::Principal;
use mrtr_core::seal::Sealing;

use crate::changes::Hub;
use crate::flow::{FlowStore, MemoryStore};
use crate::observe::{Event, Observer};
use crate::prompt::Prompt;
use crate::resource::Resource;
use crate::shared::States;
use crate::tool::Tool;
use crate::world::{System, World};

use bounds::Bounds;
use identity::Identity;

#[cfg(feature = "http")]
pub(crate) use access::Gate;
pub use config::{Config, ConfigError};
pub use endpoint::Endpoint;
pub use identity::{Icon, IconTheme};
pub(crate) use inner::{Inner, PromptEntry, Registered};
pub use mirrors::MirrorProblem;
#[cfg(feature = "legacy")]
pub(crate) use mounted::Mounted;
pub use problem::{BuildError, Problem};
pub use serve::ServeError;

/// A server: its tools, what they need, and how it is served.
///
/// Give it everything, then serve it with [`run`](Server::run), [`serve_stdio`](Server::serve_stdio)
/// or `serve_http`, or [`build`](Server::build) an [`Endpoint`] for a transport of your own.
#[must_use = "a server does nothing until it is served: `.run().await`"]
pub struct Server {
    identity: Identity,
    tools: Vec<Tool>,
    prompts: Vec<Prompt>,
    resources: Vec<Resource>,
    changes: Arc<Hub>,
    states: States,
    keys: Keys,
    bounds: Bounds,
    listing: ListSettings,
    callers: Callers,
    observers: Vec<Observer>,
    world: Arc<dyn World>,
    access: access::Access,
    flows: Flows,
    links: links::Links,
}

/// Where it is known which flows have been carried out.
enum Flows {
    /// In a store of this process, which nobody gave.
    Memory,
    /// In this store.
    Store(Arc<dyn FlowStore>),
    /// Nowhere.
    Unknown,
}

impl Flows {
    fn open(self) -> Option<Arc<dyn FlowStore>> {
        match self {
            Self::Memory => Some(Arc::new(MemoryStore::new())),
            Self::Store(store) => Some(store),
            Self::Unknown => None,
        }
    }
}

/// What seals the request states.
#[derive(Default)]
struct Keys {
    ring: Option<KeyRing>,
    ephemeral: bool,
    sealing: Sealing,
    realm: Option<String>,
}

/// How lists go out.
struct ListSettings {
    page_size: Option<usize>,
    ttl: Duration,
    info_in_results: bool,
}

/// What callers must be.
#[derive(Default)]
struct Callers {
    require_principal: bool,
    anonymous_commits: bool,
    stdio: Option<Principal>,
}

impl Server {
    /// A server of this name and version, without tools.
    ///
    /// The name is part of what states are bound to, unless [`realm`](Server::realm) says otherwise.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            identity: Identity::new(name.into(), version.into()),
            tools: Vec::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            changes: Arc::default(),
            states: States::default(),
            keys: Keys::default(),
            bounds: Bounds::default(),
            listing: ListSettings {
                page_size: None,
                ttl: Duration::from_secs(60),
                info_in_results: true,
            },
            callers: Callers::default(),
            observers: Vec::new(),
            world: Arc::new(System),
            access: access::Access::default(),
            flows: Flows::Memory,
            links: links::Links::default(),
        }
    }

    /// The name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.identity.title = Some(title.into());
        self
    }

    /// What the model should know about the server as a whole.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.identity.instructions = Some(instructions.into());
        self
    }

    /// The server's page on the web.
    pub fn website(mut self, url: impl Into<String>) -> Self {
        self.identity.website_url = Some(url.into());
        self
    }

    /// Pictures that clients may show.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.identity.icons.extend(icons);
        self
    }

    /// A value for the parameters of the type `State<T>`, cloned for each call. A second value of
    /// one type replaces the first.
    pub fn state<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.states.insert(value);
        self
    }

    /// The keys that seal the request states. All instances of a server need the same.
    pub fn keys(mut self, ring: KeyRing) -> Self {
        self.keys.ring = Some(ring);
        self
    }

    /// Insists on a random key for this process, also where others can connect: no other instance
    /// and no later process opens its states.
    pub fn ephemeral_key(mut self) -> Self {
        self.keys.ephemeral = true;
        self
    }

    /// Signs request states instead of encrypting them, so that clients can read them, with all
    /// answers and remembered values.
    pub fn signed(mut self) -> Self {
        self.keys.sealing = Sealing::Signed;
        self
    }

    /// The name of the tenant or environment that states are bound to; the server's name otherwise.
    pub fn realm(mut self, realm: impl Into<String>) -> Self {
        self.keys.realm = Some(realm.into());
        self
    }

    /// The caller of every request that comes over stdio; nobody otherwise.
    pub fn stdio_principal(mut self, principal: Principal) -> Self {
        self.callers.stdio = Some(principal);
        self
    }

    /// Refuses every request whose caller is not known.
    pub fn require_principal(mut self) -> Self {
        self.callers.require_principal = true;
        self
    }

    /// Lets callers nobody knows run tools that commit, also where others can connect.
    pub fn allow_anonymous_commits(mut self) -> Self {
        self.callers.anonymous_commits = true;
        self
    }

    /// Where it is known which flows have been carried out; in the memory of this process otherwise.
    ///
    /// All instances of a server need the same store.
    pub fn flows(mut self, store: impl FlowStore) -> Self {
        self.flows = Flows::Store(Arc::new(store));
        self
    }

    /// Does without a flow store: a repeated final round commits again, and a no is not final.
    pub fn without_flows(mut self) -> Self {
        self.flows = Flows::Unknown;
        self
    }

    /// Tells a function of everything that happens in flows.
    pub fn observe(mut self, observer: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        self.observers.push(Arc::new(observer));
        self
    }

    /// How many entries one page of a list holds; all of them otherwise.
    pub fn page_size(mut self, entries: usize) -> Self {
        self.listing.page_size = Some(entries);
        self
    }

    /// How long a client may keep lists and discovery; a minute otherwise.
    pub fn list_ttl(mut self, ttl: Duration) -> Self {
        self.listing.ttl = ttl;
        self
    }

    /// Whether each result names the server in its `_meta`; yes, unless set otherwise.
    pub fn server_info_in_results(mut self, yes: bool) -> Self {
        self.listing.info_in_results = yes;
        self
    }

    /// Applies settings from outside the program; they go over those made before.
    pub fn config(mut self, config: Config) -> Self {
        self.keys.ring = config.keys.or(self.keys.ring);
        let bounds = &mut self.bounds;
        bounds.flow_ttl = config.flow_ttl.unwrap_or(bounds.flow_ttl);
        bounds.round_ttl = config.round_ttl.unwrap_or(bounds.round_ttl);
        bounds.max_rounds = config.max_rounds.unwrap_or(bounds.max_rounds);
        #[cfg(feature = "http")]
        for host in &config.allow_hosts {
            self.access.door.allow_host(host);
        }
        self
    }

    /// Time and randomness of a test.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn world(mut self, world: Arc<dyn World>) -> Self {
        self.world = world;
        self
    }

    /// The keys and the flow store that the instances of a test share, for servers that bring
    /// none of their own.
    #[cfg(feature = "testing")]
    pub(crate) fn shared_unless_given(mut self, ring: KeyRing, store: Arc<dyn FlowStore>) -> Self {
        self.keys.ring.get_or_insert(ring);
        if let Flows::Memory = self.flows {
            self.flows = Flows::Store(store);
        }
        self
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("name", &self.identity.name)
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}
