//! The right to ask: what a handler asks through.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use mrtr_core::answers::AnswersForm;
use mrtr_core::ident;
use mrtr_core::key::{AskKey, KeyError};

use crate::ask::{Ask, AskAll, Message, Subject, Typed};
use crate::call::Call;
use crate::client::ClientCapabilities;
use crate::rng::FlowRng;
use crate::run::Run;

/// The right to ask, until the commit. A handler has it by reference, `ctx: &Ctx`.
pub struct Ctx {
    run: Arc<Run>,
    call: Call,
    client: ClientCapabilities,
    /// What every key begins with, the final dot included.
    prefix: String,
}

impl Ctx {
    pub(crate) fn new(run: Arc<Run>, call: Call, client: ClientCapabilities) -> Self {
        Self {
            run,
            call,
            client,
            prefix: String::new(),
        }
    }

    pub(crate) fn into_parts(self) -> (Arc<Run>, Call) {
        (self.run, self.call)
    }

    pub(crate) fn run(&self) -> &Arc<Run> {
        &self.run
    }

    pub(crate) fn client(&self) -> ClientCapabilities {
        self.client
    }

    /// Asks the user to fill in a form, or to confirm.
    ///
    /// `T` says what an answer may be: a type with `Form`, a scalar, [`Confirm`](crate::Confirm),
    /// an `Option` (no is `None`) or an [`Answer`](crate::Answer). Awaiting yields the value or
    /// never: an unanswered question ends the round, and the handler runs again from the top with
    /// the answer. `key` names the question along the flow: `[A-Za-z0-9._-]{1,64}`, asked once.
    pub fn ask<T: AnswersForm>(
        &self,
        key: impl Into<Cow<'static, str>>,
        message: impl Into<Message>,
    ) -> Ask<'_, T> {
        self.ask_as(Typed::of(), key, message)
    }

    /// Asks with a type that was checked before; expansions come here.
    #[doc(hidden)]
    pub fn ask_as<T>(
        &self,
        typed: Typed<T>,
        key: impl Into<Cow<'static, str>>,
        message: impl Into<Message>,
    ) -> Ask<'_, T> {
        Ask::new(self, key.into(), message.into(), Subject::Typed, typed)
    }

    /// Asks several questions of one type together; yields the values in the same order. They take
    /// as few rounds as the limit of questions in a round allows, which is 16.
    pub fn ask_all<T, K, M>(&self, questions: impl IntoIterator<Item = (K, M)>) -> AskAll<'_, T>
    where
        T: AnswersForm,
        K: Into<Cow<'static, str>>,
        M: Into<Message>,
    {
        AskAll::new(
            questions
                .into_iter()
                .map(|(key, message)| self.ask(key, message)),
        )
    }

    /// The same right with keys that begin `name.`, so that a helper can be called twice.
    pub fn scope(&self, name: &str) -> Scope<'_> {
        Scope {
            ctx: Self {
                run: Arc::clone(&self.run),
                call: self.call.clone(),
                client: self.client,
                prefix: format!("{}{name}.", self.prefix),
            },
            _asking: self,
        }
    }

    /// The time the flow started: the same in every round.
    #[must_use]
    pub fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(self.call.0.start)
    }

    /// A UUID that is the same in every round of the flow. Stable, not secret.
    #[must_use]
    pub fn uuid(&self, name: &str) -> String {
        ident::flow_uuid(&self.call.0.root, &format!("{}{name}", self.prefix))
    }

    /// A random generator that gives the same numbers in every round of the flow. Stable, not
    /// secret: a client can start flows until it likes the numbers, so it is not for draws.
    ///
    /// Each call begins with the first number again: make one generator and hand it on, or take
    /// another one from a [`scope`](Self::scope).
    #[must_use]
    pub fn rng(&self) -> FlowRng {
        FlowRng::from_seed(ident::flow_rng_seed(&self.call.0.root, &self.prefix))
    }

    /// An idempotency key for this name: the same in all rounds and instances of the flow.
    #[must_use]
    pub fn key(&self, name: &str) -> String {
        self.call.key(&format!("{}{name}", self.prefix))
    }

    /// The call: progress, log, flow and round.
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    pub(crate) fn full_key(&self, key: Cow<'static, str>) -> Result<AskKey, KeyError> {
        if self.prefix.is_empty() {
            AskKey::new(key)
        } else {
            AskKey::new(format!("{}{key}", self.prefix))
        }
    }
}

impl fmt::Debug for Ctx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ctx")
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}

/// A [`Ctx`] whose keys begin with a name of their own. It borrows the one it came from, so that
/// it cannot outlive the right to ask.
#[derive(Debug)]
pub struct Scope<'a> {
    ctx: Ctx,
    _asking: &'a Ctx,
}

impl Deref for Scope<'_> {
    type Target = Ctx;

    fn deref(&self) -> &Ctx {
        &self.ctx
    }
}
