//! Who may come in over HTTP: host names, origins, and the resolver of callers.

use crate::protocol::CallAccess;
#[cfg(feature = "http")]
use crate::transport::http::{Authenticate, Door, Resolver, Resource, ResourceSettings};

#[cfg(feature = "http")]
use super::Server;
use super::build::Listener;
use super::{Callers, Problem};

/// The settings; without HTTP there are none.
#[derive(Default)]
pub(super) struct Access {
    #[cfg(feature = "http")]
    pub(super) door: Door,
    #[cfg(feature = "http")]
    resolver: Option<Resolver>,
    #[cfg(feature = "http")]
    resource: Option<ResourceSettings>,
    #[cfg(feature = "http")]
    scopes: Vec<String>,
}

/// The settings of a built server.
pub(crate) struct Gate {
    #[cfg(feature = "http")]
    pub(crate) door: Door,
    #[cfg(feature = "http")]
    pub(crate) resolver: Option<Resolver>,
    #[cfg(feature = "http")]
    pub(crate) resource: Option<Resource>,
}

#[cfg(feature = "http")]
impl Server {
    /// Says who a caller is, from the head of the HTTP request: an `async fn(&Parts)` or an
    /// `async` closure that returns `Result<Option<Principal>, AuthError>`, or a type of your own
    /// that implements [`Authenticate`].
    ///
    /// `Ok(None)` is a caller nobody knows. An error, or a panic, is answered 401; it is never
    /// taken for `None`. The principal is what states are bound to, so it must be the same for
    /// every token of one user.
    pub fn principal<M>(mut self, resolver: impl Authenticate<M>) -> Self {
        self.access.resolver = Some(Resolver::new(resolver));
        self
    }

    /// Allows a host name that clients use, with its port if they send one:
    /// `mcp.example.com`, `mcp.example.com:8443`. Names of this machine are always allowed.
    pub fn allow_host(mut self, host: impl AsRef<str>) -> Self {
        self.access.door.allow_host(host.as_ref());
        self
    }

    /// Allows web pages of this origin, such as `https://app.example.com`. Pages of this machine
    /// are allowed where the request is for a name of this machine.
    pub fn allow_origin(mut self, origin: impl AsRef<str>) -> Self {
        self.access.door.allow_origin(origin.as_ref());
        self
    }

    /// Publishes the OAuth metadata of RFC 9728 for clients that have to sign in: the URL of this
    /// endpoint, such as `https://mcp.example.com/mcp`, and who issues its tokens. Callers that
    /// are refused are told where to find it. Tokens are checked by [`principal`](Self::principal).
    pub fn protected_resource<I: Into<String>>(
        mut self,
        url: impl Into<String>,
        issuers: impl IntoIterator<Item = I>,
    ) -> Self {
        let issuers = issuers.into_iter().map(Into::into).collect();
        self.access.resource = Some(ResourceSettings {
            url: url.into(),
            issuers,
        });
        self
    }

    /// The scopes that clients should ask for first, named in the metadata and in challenges.
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.access
            .scopes
            .extend(scopes.into_iter().map(Into::into));
        self
    }
}

impl Access {
    /// Checks the settings against who can reach the server.
    pub(super) fn open(
        self,
        listener: Listener,
        callers: &Callers,
        problems: &mut Vec<Problem>,
    ) -> Gate {
        #[cfg(feature = "http")]
        if listener.reaches_out() && !listener.is_mounted() && !self.door.names_a_host() {
            problems.push(Problem::NoHost);
        }
        #[cfg(feature = "http")]
        problems.extend(
            self.door
                .unreadable()
                .map(|(setting, value, remedy)| Problem::Setting {
                    setting,
                    value: value.to_owned(),
                    remedy,
                }),
        );
        let known = match listener {
            Listener::Stdio => callers.stdio.is_some(),
            Listener::Embedded => true,
            Listener::Loopback | Listener::Public => self.resolves(),
            #[cfg(feature = "legacy")]
            Listener::Mounted { .. } => self.resolves() || callers.stdio.is_some(),
        };
        if callers.require_principal && !known {
            problems.push(Problem::NoPrincipal);
        }
        Gate {
            #[cfg(feature = "http")]
            resource: self.resource.and_then(|settings| {
                Resource::new(settings, &self.scopes)
                    .map_err(|problem| problems.push(problem))
                    .ok()
            }),
            #[cfg(feature = "http")]
            door: self.door,
            #[cfg(feature = "http")]
            resolver: self.resolver,
        }
    }

    /// Whether somebody says who callers are.
    pub(super) fn resolves(&self) -> bool {
        #[cfg(feature = "http")]
        return self.resolver.is_some();
        #[cfg(not(feature = "http"))]
        return false;
    }
}

impl Gate {
    /// What calls of single tools are held to.
    pub(super) fn calls(&self, signed_in_commits: bool) -> CallAccess {
        CallAccess {
            signed_in_commits,
            #[cfg(feature = "http")]
            resolves: self.resolver.is_some(),
            #[cfg(not(feature = "http"))]
            resolves: false,
            challenge: self.challenge(),
        }
    }

    /// What a caller is told who has to sign in.
    pub(crate) fn challenge(&self) -> String {
        #[cfg(feature = "http")]
        if let Some(resource) = &self.resource {
            return resource.challenge.clone();
        }
        "Bearer".to_owned()
    }
}
