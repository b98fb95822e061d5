//! Building a server: every check that can be made before the first request.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use mrtr_core::json::{Json, MAX_DEPTH};
use mrtr_core::keyring::{Key, KeyRing};
use mrtr_core::seal::Sealer;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::handler::Handler;
use crate::protocol::{Mirror, discovered, listed};
use crate::shared::Shared;
use crate::tool::{Listing, Tool};
use crate::world::World;

use super::bounds::{Bounds, millis};
use super::inner::{Inner, Registered};
use super::log_gate::LogGate;
use super::{BuildError, Endpoint, Problem, Server, mirrors, missing_states};

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
    /// Whoever the embedding program lets through: anybody, as far as we know, but it may have
    /// authenticated them.
    Embedded,
}

impl Listener {
    /// Whether others than this machine must be reckoned with.
    pub(super) fn reaches_out(self) -> bool {
        matches!(self, Self::Public | Self::Embedded)
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
        let tools = self.register(&mut problems);
        let sealer = self.sealer(listener, &mut problems);
        let authenticates = self.access.resolves();
        let gate = self.access.open(listener, &self.callers, &mut problems);
        BuildError::of(problems)?;

        if listener.reaches_out() && !authenticates {
            tracing::warn!(
                "callers are not authenticated: whoever holds a request state can go on with its call"
            );
        }
        let access = gate.calls(listener.reaches_out() && !self.callers.anonymous_commits);
        let scope = if access.resolves { "private" } else { "public" };
        let caching = format!(
            r#","ttlMs":{},"cacheScope":"{scope}""#,
            millis(self.listing.ttl)
        );
        let info = self.identity.to_json();
        let discovered = discovered(self.identity.instructions.as_deref(), &caching, &info);
        let info = self.listing.info_in_results.then_some(info);
        let listings: Vec<&Listing> = self.tools.iter().map(|tool| &tool.listing).collect();
        let page_size = self.listing.page_size;
        Ok(Endpoint(Arc::new(Inner {
            tools_listed: listed("tools", &listings, page_size, &caching, info.as_deref()),
            discovered,
            #[cfg(feature = "testing")]
            listings: listings.into_iter().cloned().collect(),
            tools,
            slots: Arc::new(Semaphore::new(self.bounds.max_concurrent)),
            refusals: LogGate::default(),
            max_body: self.bounds.max_body,
            commit_limit: self.bounds.commit_limit,
            access,
            require_principal: self.callers.require_principal,
            stdio_principal: self.callers.stdio,
            #[cfg(feature = "http")]
            gate,
            shared: Arc::new(Shared {
                realm: self.keys.realm.unwrap_or(self.identity.name),
                limits: self.bounds.limits(),
                sealer: sealer.expect("invariant: a server without a key has a problem"),
                states: self.states,
                observers: self.observers,
                world: self.world,
                info: info.map(String::from),
                flows: self.flows.open(),
                waiting: Arc::default(),
                tasks: TaskTracker::new(),
                lost: CancellationToken::new(),
            }),
        })))
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
        if listener != Listener::Public || self.callers.anonymous_commits || self.access.resolves()
        {
            return;
        }
        let committing = self.tools.iter().filter(|tool| tool.handler.commits);
        problems.extend(committing.map(|tool| Problem::AnonymousCommit(tool.name().into())));
    }

    fn register(&self, problems: &mut Vec<Problem>) -> HashMap<&'static str, Arc<Registered>> {
        let mut registered = HashMap::with_capacity(self.tools.len());
        for tool in &self.tools {
            let name = tool.listing.name;
            for state in missing_states(&tool.handler.needs, &self.states) {
                problems.push(Problem::NoState {
                    tool: name.into(),
                    state,
                });
            }
            if let Err(error) = tool.handler.check() {
                problems.push(Problem::Form {
                    tool: name.into(),
                    error,
                });
            }
            if let Some(problem) = tool.handler.arguments.problem() {
                problems.push(Problem::Arguments {
                    tool: name.into(),
                    problem: problem.into(),
                });
            }
            let mirrors = mirrors_of(tool).unwrap_or_else(|problem| {
                problems.push(problem);
                Vec::new()
            });
            self.bounds.check_handler(&tool.handler, problems);
            let entry = self.bounds.register(&tool.handler, mirrors);
            if registered.insert(name, Arc::new(entry)).is_some() {
                problems.push(Problem::SameName(name.into()));
            }
        }
        registered
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

impl Bounds {
    fn check_handler(&self, handler: &Handler, problems: &mut Vec<Problem>) {
        let times = [
            ("flow_ttl", handler.flow_ttl),
            ("round_ttl", handler.round_ttl),
            ("time_limit", handler.time_limit),
        ];
        for (setting, time) in times {
            if time == Some(0) {
                problems.push(Problem::Limit {
                    setting,
                    value: "0".into(),
                    least: "1 ms",
                });
            }
        }
    }

    /// The handler's own limits where it has some, the server's otherwise.
    fn register(&self, handler: &Handler, mirrors: Vec<Mirror>) -> Registered {
        let mut limits = self.limits();
        limits.flow = handler.flow_ttl.unwrap_or(limits.flow);
        limits.round = handler.round_ttl.unwrap_or(limits.round);
        Registered {
            name: handler.name.into(),
            handler: Arc::new(handler.clone()),
            mirrors,
            limits,
            time_limit: handler
                .time_limit
                .map_or(self.time_limit, Duration::from_millis),
        }
    }
}

fn mirrors_of(tool: &Tool) -> Result<Vec<Mirror>, Problem> {
    let schema = Json::parse(tool.listing.input_schema.get(), MAX_DEPTH);
    let schema = schema.map_err(|_| Problem::Setting {
        setting: "args",
        value: tool.name().into(),
        remedy: "the schema of its arguments nests too deep to be published",
    })?;
    let declared = &tool.listing.headers;
    let mirrors =
        mirrors::mirrors(&schema).and_then(|mirrors| mirrors::all_found(mirrors, declared));
    mirrors.map_err(|problem| Problem::Mirror {
        tool: tool.name().into(),
        problem,
    })
}

fn random_ring(world: &dyn World) -> Option<KeyRing> {
    let mut bytes = [0; 32];
    world.random(&mut bytes).ok()?;
    let key = Key::from_bytes(&bytes).ok()?;
    KeyRing::new([key]).ok()
}
