//! Building a server: every check that can be made before the first request.

use std::sync::Arc;

use mrtr_core::keyring::{Key, KeyRing};
use mrtr_core::seal::{Realm, Sealer};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::protocol::{discovered, listed};
use crate::resource::{CacheScope, Caching};
use crate::shared::Shared;
use crate::world::World;

use super::inner::{Inner, Lists};
use super::log_gate::LogGate;
use super::{BuildError, Endpoint, Flows, Problem, Server};

/// Who can reach the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only HTTP listens"))]
pub(super) enum Listener {
    /// The one process at the other end of a pipe.
    Stdio,
    /// Programs on this machine.
    Loopback,
    /// Anybody.
    Public,
    /// Whoever another server lets in, whose transport looks at hosts and origins; `local` is
    /// the one process at the other end of its pipe.
    #[cfg(feature = "legacy")]
    Mounted { local: bool },
    /// Whoever the embedding program lets through: anybody, as far as we know, but it may have
    /// authenticated them.
    Embedded,
}

impl Listener {
    /// Whether others than this machine must be reckoned with.
    pub(super) fn reaches_out(self) -> bool {
        match self {
            Self::Stdio | Self::Loopback => false,
            Self::Public | Self::Embedded => true,
            #[cfg(feature = "legacy")]
            Self::Mounted { local } => !local,
        }
    }

    /// Whether the transport, and with it the look at hosts, is somebody else's.
    pub(super) fn is_mounted(self) -> bool {
        #[cfg(feature = "legacy")]
        return matches!(self, Self::Mounted { .. });
        #[cfg(not(feature = "legacy"))]
        return false;
    }
}

impl Server {
    /// Builds the server for a transport of your own, which counts as one that anybody can reach.
    ///
    /// # Errors
    /// Names everything that is wrong, with its remedy: two tools of one name, a `State` never
    /// given, a form that no client can show, no key, no allowed host.
    pub fn build(self) -> Result<Endpoint, BuildError> {
        self.build_for(Listener::Embedded)
    }

    pub(super) fn build_for(self, listener: Listener) -> Result<Endpoint, BuildError> {
        let mut problems = Vec::new();
        self.bounds.check(&mut problems);
        self.check_identity(&mut problems);
        self.check_commits(listener, &mut problems);
        #[cfg(feature = "legacy")]
        self.check_mounted(listener, &mut problems);
        let tools = self.register_tools(&mut problems);
        let prompts = self.register_prompts(&mut problems);
        let resources = self.register_resources(&mut problems);
        self.check_links(&mut problems);
        let sealer = self.sealer(listener, &mut problems);
        let warning = self.warns_of_store();
        let authenticates = self.access.resolves();
        let scope = if authenticates {
            CacheScope::Private
        } else {
            CacheScope::Public
        };
        let caching = Caching {
            ttl: self.listing.ttl,
            scope: Some(scope),
        };
        let completes = self.completes();
        let info = self.identity.to_json();
        let capabilities = self.capabilities();
        let instructions = self.identity.instructions.as_deref();
        let discovered = discovered(instructions, &capabilities, caching, &info);
        let info = self.listing.info_in_results.then_some(info);
        let lists = self.lists(caching, info.as_deref());
        let gate = self.access.open(listener, &self.callers, &mut problems);
        BuildError::of(problems)?;

        if let Some(warning) = warning {
            tracing::warn!("{warning}");
        }
        if listener.reaches_out() && !authenticates {
            tracing::warn!(
                "callers are not authenticated: whoever holds a request state can go on with its call"
            );
        }
        let access = gate.calls(listener.reaches_out() && !self.callers.anonymous_commits);
        Ok(Endpoint(Arc::new(Inner {
            lists,
            discovered,
            #[cfg(feature = "testing")]
            listings: self.tools.into_iter().map(|tool| tool.listing).collect(),
            prompts,
            resources,
            completes,
            changes: self.changes,
            max_subscriptions: self.bounds.max_subscriptions,
            tools,
            slots: Arc::new(Semaphore::new(self.bounds.max_concurrent)),
            refusals: LogGate::default(),
            max_body: self.bounds.max_body,
            commit_limit: self.bounds.commit_limit,
            #[cfg(feature = "legacy")]
            ask_timeout: self.bounds.ask_timeout,
            #[cfg(feature = "legacy")]
            crowd: crate::legacy::Crowd::of(self.bounds.max_concurrent),
            access,
            require_principal: self.callers.require_principal,
            stdio_principal: self.callers.stdio,
            #[cfg(feature = "http")]
            gate,
            shared: Arc::new(Shared {
                realm: Realm::new(self.keys.realm.unwrap_or(self.identity.name)),
                limits: self.bounds.limits(),
                urls: self.links.policy,
                sealer: sealer.expect("invariant: a server without a key has a problem"),
                states: self.states,
                observers: self.observers,
                world: self.world,
                info: info.map(String::from),
                scope,
                flows: self.flows.open(),
                hard_limit: self.bounds.hard_limit,
                thing_ttl: self.bounds.thing_ttl,
                waiting: Arc::default(),
                tasks: TaskTracker::new(),
                lost: CancellationToken::new(),
            }),
        })))
    }

    /// Whether any argument can be completed.
    fn completes(&self) -> bool {
        let prompts = self.prompts.iter().map(|prompt| &prompt.completers);
        let resources = self.resources.iter().map(|resource| &resource.completers);
        prompts
            .chain(resources)
            .any(|completers| !completers.is_empty())
    }

    /// What `server/discover` says that this server offers. We send log messages to whoever asks
    /// for them, so that `logging` is one of them.
    fn capabilities(&self) -> String {
        let told = self.changes.is_taken();
        let listed = if told {
            r#"{"listChanged":true}"#
        } else {
            "{}"
        };
        let read = if told {
            r#"{"listChanged":true,"subscribe":true}"#
        } else {
            "{}"
        };
        let offered = [
            ("completions", self.completes(), "{}"),
            ("logging", true, "{}"),
            ("prompts", !self.prompts.is_empty(), listed),
            ("resources", !self.resources.is_empty(), read),
            ("tools", !self.tools.is_empty(), listed),
        ];
        let offered = offered.iter().filter(|(_, yes, _)| *yes);
        let members: Vec<String> = offered
            .map(|(name, _, value)| format!(r#""{name}":{value}"#))
            .collect();
        format!("{{{}}}", members.join(","))
    }

    /// All lists, in pages.
    fn lists(&self, caching: Caching, info: Option<&str>) -> Lists {
        let tools: Vec<_> = self.tools.iter().map(|tool| &tool.listing).collect();
        let prompts: Vec<_> = self.prompts.iter().map(|prompt| &prompt.listing).collect();
        let (templates, resources): (Vec<_>, Vec<_>) = (self.resources.iter())
            .map(|resource| &resource.listing)
            .partition(|listing| listing.uri_template.is_some());
        let size = self.listing.page_size;
        Lists {
            tools: listed("tools", &tools, size, caching, info),
            prompts: listed("prompts", &prompts, size, caching, info),
            resources: listed("resources", &resources, size, caching, info),
            templates: listed("resourceTemplates", &templates, size, caching, info),
        }
    }

    fn check_identity(&self, problems: &mut Vec<Problem>) {
        if self.listing.page_size == Some(0) {
            problems.push(Problem::Limit {
                setting: "page_size",
                value: "0".into(),
                least: "1",
            });
        }
        for icon in &self.identity.icons {
            if !icon.src.starts_with("https://") && !icon.src.starts_with("data:") {
                problems.push(Problem::Setting {
                    setting: "icons",
                    value: icon.src.clone(),
                    remedy: "clients load icons from `https:` and `data:` only",
                });
            }
        }
    }

    /// A tool that commits for callers nobody can ever know.
    fn check_commits(&self, listener: Listener, problems: &mut Vec<Problem>) {
        let known =
            self.access.resolves() || (listener.is_mounted() && self.callers.stdio.is_some());
        // A program that embeds the endpoint may have authenticated the callers itself.
        let open = listener.reaches_out() && listener != Listener::Embedded;
        if !open || self.callers.anonymous_commits || known {
            return;
        }
        let committing = self.tools.iter().filter(|tool| tool.handler.commits);
        problems.extend(committing.map(|tool| Problem::AnonymousCommit(tool.name().into())));
    }

    /// What the flow store, or the lack of one, cannot promise to tools that commit.
    fn warns_of_store(&self) -> Option<&'static str> {
        if !self.tools.iter().any(|tool| tool.handler.commits) {
            return None;
        }
        match self.flows {
            Flows::Unknown => Some(
                "there is no flow store: a repeated final round commits again, and a no is not final",
            ),
            // A key of this process alone opens no state that another process could commit twice.
            Flows::Memory if self.keys.ring.is_some() => Some(
                "the flow store is in memory: flows that commit do not survive a restart and cannot \
                 move between instances",
            ),
            Flows::Memory | Flows::Store(_) => None,
        }
    }

    /// The sealer, with a random key where that does.
    fn sealer(&self, listener: Listener, problems: &mut Vec<Problem>) -> Option<Sealer> {
        if let Some(ring) = &self.keys.ring {
            return Some(Sealer::new(ring.clone(), self.keys.sealing));
        }
        if listener.reaches_out() && !self.keys.ephemeral {
            problems.push(Problem::NoKey);
            return None;
        }
        let Some(ring) = random_ring(&*self.world) else {
            problems.push(Problem::Setting {
                setting: "keys",
                value: "none".into(),
                remedy: "the operating system gave no random bytes for a key; give one with `.keys(..)`",
            });
            return None;
        };
        tracing::info!(
            "no key is configured: request states are sealed with a random key, so that only this process opens them"
        );
        Some(Sealer::new(ring, self.keys.sealing))
    }
}

fn random_ring(world: &dyn World) -> Option<KeyRing> {
    let mut bytes = [0; 32];
    world.random(&mut bytes).ok()?;
    let key = Key::from_bytes(&bytes).ok()?;
    KeyRing::new([key]).ok()
}
