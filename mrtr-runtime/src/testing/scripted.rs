//! A call with its script: what the user says, and what happens between the answers.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;

use mrtr_core::principal::Principal;
use serde_json::Value;

use super::client::Client;
use super::fleet::{Fleet, Launch};
use super::play::Play;
use super::script::{Answers, Said, sayings};
use super::stance::{Cap, Change, user};
use super::transcript::Transcript;

/// A call with its script; awaiting plays it to the end and gives the [`Transcript`].
///
/// Each question takes the next answer that the script has for its key, so answers to different
/// questions may stand in any order. A question without an answer fails the test with the line to
/// add; an answer without a question fails it, too.
///
/// A change of the world (`.as_user(..)`, `.advance(..)` and the like) stands between the answers:
/// it holds from the request that carries the next one. For a whole call make the change at the
/// [`Client`].
#[derive(Clone)]
#[must_use = "a call does nothing until it is awaited"]
pub struct Scripted {
    pub(super) client: Client,
    pub(super) method: &'static str,
    pub(super) tool: String,
    pub(super) arguments: Value,
    pub(super) script: Answers,
    pub(super) twice: bool,
    pub(super) at: &'static Location<'static>,
}

sayings!(Scripted, script);

impl Scripted {
    fn script(&mut self) -> &mut Answers {
        &mut self.script
    }

    fn changes(mut self, change: Change) -> Self {
        self.script.changes(change);
        self
    }

    /// Walks away when this is asked: the call stays open, and the transcript ends there.
    pub fn leave(mut self, key: &str) -> Self {
        self.script.says(key, Said::Leave);
        self
    }

    /// From the next answer on, the client cannot be asked this.
    pub fn without(self, cap: Cap) -> Self {
        self.changes(Change::Without(cap))
    }

    /// The next answer comes from this user, and so does everything after it.
    ///
    /// # Panics
    /// When the name is blank.
    #[track_caller]
    pub fn as_user(self, name: &str) -> Self {
        self.as_principal(user(name))
    }

    /// The next answer comes from this caller, and so does everything after it.
    pub fn as_principal(self, principal: Principal) -> Self {
        self.changes(Change::Caller(Some(principal)))
    }

    /// The next answer comes from nobody who is known, and so does everything after it.
    pub fn anonymous(self) -> Self {
        self.changes(Change::Caller(None))
    }

    /// Time passes before the next answer.
    pub fn advance(self, seconds: u64) -> Self {
        self.changes(Change::Advance(seconds))
    }

    /// The next answer goes to this instance, and so does everything after it.
    ///
    /// # Panics
    /// When the client was made of a server and not of a function.
    #[track_caller]
    pub fn on_instance(self, instance: usize) -> Self {
        self.client.stance.fleet.endpoint(instance);
        self.changes(Change::Instance(instance))
    }

    /// The next answer goes to the next version of the server, and so does everything after it.
    ///
    /// # Panics
    /// When the new server cannot be built.
    #[track_caller]
    pub fn redeployed(self, server: impl Launch) -> Self {
        let fleet = Fleet::new(server.launch(), Arc::clone(&self.client.lab));
        self.changes(Change::Redeployed(fleet))
    }

    /// Plays the call on 2026-07-28 and then on 2025-11-25, where the same handler is asked in a
    /// session, and gives the transcript of each. The test fails unless both ask the same and both
    /// end well, or badly. They are two calls: their effects add up.
    ///
    /// [`Client::era`] speaks one revision only, and the other ones, too.
    #[cfg(feature = "legacy")]
    pub fn both_eras(self) -> super::BothEras {
        super::BothEras(self)
    }

    /// Runs each round once only. Otherwise a round that ended in questions runs again, and the
    /// test fails if they are other ones.
    pub fn once(mut self) -> Self {
        self.twice = false;
        self
    }
}

impl IntoFuture for Scripted {
    type Output = Transcript;
    type IntoFuture = Pin<Box<dyn Future<Output = Transcript> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(Play::new(self).run())
    }
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call({:?}, {})", self.tool, self.arguments)?;
        self.script
            .0
            .iter()
            .try_for_each(|step| write!(f, "{step}"))
    }
}
