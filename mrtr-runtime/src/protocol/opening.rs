//! Opening the state of a request, or starting a flow, and taking its answers.
//!
//! Source: MCP 2026-07-28, basic/patterns/mrtr, "Server Requirements".

use std::borrow::Cow;

use mrtr_core::digest::ParamsDigest;
use mrtr_core::json::Value;
use mrtr_core::principal::Principal;
use mrtr_core::round::Round;
use mrtr_core::seal::{Bind, Refused};
use mrtr_core::state::Root;

use crate::flow::Epoch;
use crate::observe::{Event, EventKind};
use crate::server::{Inner, Registered};

use super::Refusal;
use super::params::{Params, Responses};

/// The random bytes of a first request: a root, and what its state is sealed with. Nothing else
/// draws as many, by which the test kit knows the root of a flow.
pub(crate) const FIRST_DRAW: usize = 16 + 24;

/// What a request brings of its flow.
pub(super) struct Opening<'a> {
    pub(super) method: &'static str,
    pub(super) digest: ParamsDigest,
    pub(super) state: Option<Cow<'a, str>>,
    /// The client is asked while the handler waits; the root, if the request has one of its own.
    pub(super) live: Option<Option<Root>>,
    /// The members of `inputResponses`.
    pub(super) answers: Responses<'a>,
}

impl Opening<'_> {
    /// The same, borrowed from nothing, for a handler that has to wait for the flow store first.
    pub(super) fn into_owned(self) -> Opening<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Opening {
            method: self.method,
            digest: self.digest,
            state: self.state.map(owned),
            live: self.live,
            answers: self
                .answers
                .into_iter()
                .map(|(name, sent)| (owned(name), sent.into_owned()))
                .collect(),
        }
    }

    /// What the request's states are bound to. `epoch` is given for handlers that commit only.
    pub(super) fn bind(
        &self,
        server: &Inner,
        epoch: Option<Epoch>,
        principal: Option<&Principal>,
    ) -> Bind {
        let epoch = epoch.as_ref().map(|epoch| &epoch.0);
        let realm = &server.shared.realm;
        realm.bind(epoch, principal, self.method, &self.digest)
    }

    /// Opens the state, or starts a flow, and takes the answers. A flow that starts has the random
    /// bytes for its state with it.
    pub(super) fn round(
        &self,
        server: &Inner,
        handler: &Registered,
        bind: &Bind,
    ) -> Result<(Round, Option<[u8; 24]>), Refusal> {
        let shared = &server.shared;
        let limits = handler.limits.clone();
        let now = shared.world.now();
        if let Some(root) = self.live {
            let tied = root.is_some();
            // No state goes out while the client is asked, so that the rest is not needed.
            let root = root.map_or_else(|| Ok(fresh(server)?.0), Ok)?;
            return Ok((Round::live(root, now, limits, tied), None));
        }
        let (mut round, random, late) = match &self.state {
            None => {
                self.note_lost_state(server, handler, now);
                let (root, random) = fresh(server)?;
                (Round::first(root, now, limits), Some(random), false)
            }
            Some(text) => {
                let opened = shared
                    .sealer
                    .open(text, bind, now, limits.rounds, limits.state);
                let state = opened.map_err(|reason| {
                    report(server, handler, reason);
                    refused_state()
                })?;
                let late = now >= state.round_end;
                (Round::resume(state, limits), None, late)
            }
        };
        let answers = self.answers.iter();
        let answers = answers.map(|(name, sent)| (&**name, sent.given()));
        round.take_answers(answers, late);
        Ok((round, random))
    }

    /// Says in the log that a client sends answers without the state they belong to: it would be
    /// asked for ever.
    fn note_lost_state(&self, server: &Inner, handler: &Registered, now: u64) {
        if !self.answers.is_empty() && server.refusals.admit(now).is_some() {
            let handler = handler.handler.name;
            tracing::info!(
                handler,
                "answers came without a requestState; the client may have lost it"
            );
        }
    }
}

/// The root of a new flow and random bytes for its first state, drawn together: each request to
/// the operating system costs as much as sealing.
fn fresh(server: &Inner) -> Result<(Root, [u8; 24]), Refusal> {
    let mut drawn = [0; FIRST_DRAW];
    server.shared.world.random(&mut drawn).map_err(|error| {
        tracing::error!(%error, "a flow cannot start");
        Refusal::internal()
    })?;
    let (mut root, mut random) = ([0; 16], [0; 24]);
    root.copy_from_slice(&drawn[..16]);
    random.copy_from_slice(&drawn[16..]);
    Ok((Root(root), random))
}

/// The state of the request as text, if it brought one; null is as good as absent.
pub(super) fn presented<'a>(params: &Params<'a>) -> Result<Option<Cow<'a, str>>, Refusal> {
    let state = params.request_state;
    match state.filter(|state| !state.is_null()) {
        None => Ok(None),
        Some(state) => Value::as_str(state)
            .filter(|text| !text.is_empty())
            .map(Some)
            .ok_or_else(refused_state),
    }
}

/// The one answer to every state that does not open. Why is for the log only.
fn refused_state() -> Refusal {
    Refusal::invalid_params("the requestState is not valid; start the call again")
}

/// Tells the log and observers why a state was refused; the log not more often than it can bear.
fn report(server: &Inner, handler: &Registered, reason: Refused) {
    let handler = handler.handler.name;
    if let Some(skipped) = server.refusals.admit(server.shared.world.now()) {
        tracing::warn!(handler, %reason, skipped, "a requestState was refused");
    }
    let kind = EventKind::Refused {
        reason: reason.as_str(),
    };
    server.shared.tell(&Event {
        handler,
        flow: None,
        round: 0,
        kind,
    });
}
