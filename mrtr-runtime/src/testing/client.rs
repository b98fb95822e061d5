//! The client of a test: it calls tools of servers that live in the same process.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use mrtr_core::principal::Principal;
use serde_json::Value;

use super::attack::Attack;
use super::describe::describe;
#[cfg(feature = "legacy")]
use super::era::Era;
use super::fleet::{Fleet, Launch};
use super::lab::{Exchange, Lab};
use super::recorder::Recorder;
use super::script::Answers;
use super::scripted::Scripted;
use super::stance::{Cap, Change, Stance, user};
use super::tally::Tally;
use super::wire::{self, Received};

/// A client of a server in the same process.
///
/// It speaks the protocol in bytes, with a clock and keys of its own: time stands still until
/// [`advance`](Client::advance). It can be asked everything, and nobody is signed in, until told
/// otherwise. Clones, and the clients that the methods give back, share the server and the clock.
#[derive(Clone)]
pub struct Client {
    pub(super) lab: Arc<Lab>,
    pub(super) stance: Stance,
    pub(super) tally: Option<Tally<'static>>,
}

impl Client {
    /// A client of this server, or of what this function makes.
    ///
    /// # Panics
    /// When the server cannot be built; the text says why.
    #[track_caller]
    pub fn new(server: impl Launch) -> Self {
        let lab = Arc::new(Lab::new());
        let fleet = Fleet::new(server.launch(), Arc::clone(&lab));
        let recorder = fleet.endpoint(1).0.shared.states.get::<Recorder>();
        Self {
            lab,
            stance: Stance {
                fleet,
                instance: 1,
                principal: None,
                missing: Vec::new(),
                #[cfg(feature = "legacy")]
                era: Era::V2026_07_28,
            },
            tally: recorder.map(Tally::Recorder),
        }
    }

    /// Calls a tool; the answers follow, and awaiting plays them.
    #[track_caller]
    pub fn call(&self, tool: &str, arguments: impl Into<Value>) -> Scripted {
        self.script(wire::TOOL, tool, arguments.into(), Location::caller())
    }

    /// Gets a prompt; the answers follow, and awaiting plays them.
    #[track_caller]
    pub fn prompt(&self, name: &str, arguments: impl Into<Value>) -> Scripted {
        self.script(wire::PROMPT, name, arguments.into(), Location::caller())
    }

    /// Reads the resource at a URI; the answers follow, and awaiting plays them.
    #[track_caller]
    pub fn read(&self, uri: &str) -> Scripted {
        self.script(wire::RESOURCE, uri, Value::Null, Location::caller())
    }

    fn script(
        &self,
        method: &'static str,
        subject: &str,
        arguments: Value,
        at: &'static Location<'static>,
    ) -> Scripted {
        Scripted {
            client: self.clone(),
            method,
            tool: subject.to_owned(),
            arguments,
            script: Answers::new(),
            twice: true,
            at,
        }
    }

    /// Attacks a tool in every way that clients and networks are known to, and counts its effects.
    ///
    /// `answers` are those of an honest user; `effects` counts how many effects there have been so
    /// far. See [`Attack`] for what is tried.
    #[track_caller]
    pub fn attack<'a>(
        &self,
        tool: &str,
        arguments: impl Into<Value>,
        answers: Answers,
        effects: impl Fn() -> usize + Send + Sync + 'a,
    ) -> Attack<'a> {
        let effects = Tally::Closure(Arc::new(effects));
        Attack::new(self, tool, arguments.into(), answers, effects)
    }

    /// Everything that a tool publishes and asks, as text that is the same until the tool changes:
    /// for a snapshot.
    ///
    /// # Panics
    /// When there is no such tool.
    #[track_caller]
    #[must_use]
    pub fn describe(&self, tool: &str) -> String {
        describe(&self.stance.fleet.endpoint(self.stance.instance), tool)
    }

    /// A client that cannot be asked this.
    #[must_use]
    pub fn without(&self, cap: Cap) -> Self {
        self.with(Change::Without(cap))
    }

    /// A client that speaks this revision of the protocol. Before 2026-07-28 it opens a session
    /// for each call, and is asked on its connection while the handler waits.
    ///
    /// An [`attack`](Client::attack) is made on 2026-07-28 whatever its client speaks.
    #[cfg(feature = "legacy")]
    #[must_use]
    pub fn era(&self, era: Era) -> Self {
        let mut client = self.clone();
        client.stance.era = era;
        client
    }

    /// A client that this user is signed in at.
    ///
    /// # Panics
    /// When the name is blank.
    #[track_caller]
    #[must_use]
    pub fn as_user(&self, name: &str) -> Self {
        self.as_principal(user(name))
    }

    /// A client that this caller is signed in at.
    #[must_use]
    pub fn as_principal(&self, principal: Principal) -> Self {
        self.with(Change::Caller(Some(principal)))
    }

    /// A client that nobody is signed in at.
    #[must_use]
    pub fn anonymous(&self) -> Self {
        self.with(Change::Caller(None))
    }

    /// Lets time pass on the servers' clock, for every client of this test.
    pub fn advance(&self, seconds: u64) -> Self {
        self.with(Change::Advance(seconds))
    }

    /// A client that talks to this instance of the server. The first is number 1.
    ///
    /// Instances share the clock of the test and, unless the servers bring their own, its keys and
    /// its flow store; beside that, only what the function that makes them puts into each.
    ///
    /// # Panics
    /// When the client was made of a server and not of a function.
    #[track_caller]
    #[must_use]
    pub fn on_instance(&self, instance: usize) -> Self {
        self.stance.fleet.endpoint(instance);
        self.with(Change::Instance(instance))
    }

    /// A client of the next version of the server, which shares what instances share.
    ///
    /// # Panics
    /// When the new server cannot be built.
    #[track_caller]
    #[must_use]
    pub fn redeployed(&self, server: impl Launch) -> Self {
        let fleet = Fleet::new(server.launch(), Arc::clone(&self.lab));
        self.with(Change::Redeployed(fleet))
    }

    /// Watches the effects that this function counts: one in a round that ends in a question
    /// fails the test. Calls that run side by side need a count each, or they see the effects of
    /// each other.
    #[must_use]
    pub fn counting(&self, effects: impl Fn() -> usize + Send + Sync + 'static) -> Self {
        Self {
            tally: Some(Tally::Closure(Arc::new(effects))),
            ..self.clone()
        }
    }

    /// Watches the effects that are written down here. A recorder that the server has as a state
    /// is watched without being named.
    #[must_use]
    pub fn recording(&self, recorder: &Recorder) -> Self {
        Self {
            tally: Some(Tally::Recorder(recorder.clone())),
            ..self.clone()
        }
    }

    fn with(&self, change: Change) -> Self {
        let mut client = self.clone();
        client.stance.apply(&change, &self.lab);
        client
    }

    /// Sends a request for a tool from somewhere, and reads what comes.
    pub(super) async fn send(&self, stance: &Stance, params: &Value) -> (Received, Arc<Exchange>) {
        self.send_to(wire::TOOL, stance, params).await
    }

    /// Sends a request of this method from somewhere, and reads what comes.
    pub(super) async fn send_to(
        &self,
        method: &str,
        stance: &Stance,
        params: &Value,
    ) -> (Received, Arc<Exchange>) {
        let endpoint = stance.fleet.endpoint(stance.instance);
        let request = wire::request(method, stance, params);
        let work = async { wire::receive(endpoint.handle(request).await).await };
        self.lab.exchange(work).await
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("instance", &self.stance.instance)
            .finish_non_exhaustive()
    }
}
