//! `tools/call`: what must hold before a tool's handler runs, and the run itself.
//!
//! Source: MCP 2026-07-28, server/tools, "Calling tools", and basic/patterns/mrtr.

use std::borrow::Cow;
use std::sync::Arc;

use mrtr_core::digest::ParamsDigest;
use mrtr_core::ident;
use mrtr_core::json::{Json, JsonError};
use mrtr_core::principal::Principal;
use mrtr_core::round::Round;
use mrtr_core::seal::{Bind, Refused};
use mrtr_core::state::Root;
use mrtr_core::text::log_name;
use serde_json::value::RawValue;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_util::sync::CancellationToken;

use crate::call::{Call, CallData};
use crate::notify::Notifier;
use crate::observe::{Event, EventKind};
use crate::run::{Execution, execute, missing_capability};
use crate::server::{Inner, Registered};

use super::message::{is_object, text};
use super::params::{Params, Responses, distinct, responses};
use super::{Accepted, Checked, Conversation, Refusal, mirror, trace};

/// How many notifications wait for a slow client before the handler waits, too.
const NOTIFICATIONS: usize = 16;

pub(super) fn serve(server: &Arc<Inner>, request: Checked<'_>) -> Result<Accepted, Refusal> {
    let name = call_shape(&request.params)?;
    let params =
        Json::parse(request.text, server.shared.limits.depth).map_err(|error| unread(&error))?;
    let tool = server
        .tool(&name)
        .ok_or_else(|| Refusal::invalid_params(format!("unknown tool: {}", log_name(&name))))?;
    mirror::check_arguments(request.head, &tool.mirrors, &params)?;
    server
        .access
        .check(&tool.tool, request.principal.as_ref())?;
    let bind = bound(server, &request, &params)?;
    let state = presented(&request.params)?;
    if state.is_none() {
        check_capabilities(tool, &request)?;
    }
    let round = open(server, tool, &request, &bind, state)?;
    let permit = Arc::clone(&server.slots)
        .try_acquire_owned()
        .map_err(|_| Refusal::busy())?;
    Ok(Accepted::Running(Box::new(start(
        server,
        tool,
        request,
        Start {
            round,
            bind,
            permit,
        },
    ))))
}

/// The members that every call has in the right shape; gives back the name.
fn call_shape<'a>(params: &Params<'a>) -> Result<Cow<'a, str>, Refusal> {
    let name = params.name.and_then(text);
    let name = name.ok_or_else(|| Refusal::invalid_params("`name` must be the name of a tool"))?;
    if params
        .arguments
        .is_some_and(|arguments| !is_object(arguments))
    {
        return Err(Refusal::invalid_params("`arguments` must be an object"));
    }
    Ok(name)
}

/// Params that two readers could read in two ways, or that nest too deep to look at.
fn unread(error: &JsonError) -> Refusal {
    Refusal::invalid_params(format!("`params` cannot be used: {error}"))
}

fn bound(server: &Inner, request: &Checked<'_>, params: &Json<'_>) -> Result<Bind, Refusal> {
    let digest = ParamsDigest::of(params).map_err(|error| unread(&error))?;
    let principal = request.principal.as_ref();
    Ok(Bind::new(
        &server.shared.realm,
        None,
        principal,
        request.method,
        &digest,
    ))
}

/// The state of the request as text, if it brought one; null is as good as absent.
fn presented<'a>(params: &Params<'a>) -> Result<Option<Cow<'a, str>>, Refusal> {
    match params.request_state.filter(|raw| raw.get() != "null") {
        None => Ok(None),
        Some(raw) => text(raw)
            .filter(|text| !text.is_empty())
            .map(Some)
            .ok_or_else(refused_state),
    }
}

/// The one answer to every state that does not open. Why is for the log only.
fn refused_state() -> Refusal {
    Refusal::invalid_params("the requestState is not valid; start the call again")
}

/// The questions that every path asks must be ones that this client can be asked. Later rounds
/// look at each ask: what is answered already needs no capability any more.
fn check_capabilities(tool: &Registered, request: &Checked<'_>) -> Result<(), Refusal> {
    let missing = distinct(
        tool.tool
            .required_kinds()
            .filter(|kind| !request.meta.client.covers(*kind)),
    );
    if missing.is_empty() {
        return Ok(());
    }
    Err(Refusal::new(400, missing_capability(&missing)))
}

/// Opens the state, or starts a flow, and takes the answers.
fn open(
    server: &Inner,
    tool: &Registered,
    request: &Checked<'_>,
    bind: &Bind,
    state: Option<Cow<'_, str>>,
) -> Result<Round, Refusal> {
    let shared = &server.shared;
    let limits = tool.limits.clone();
    let now = shared.world.now();
    let Some(state) = state else {
        let answers = responses(request.params.input_responses, limits.responses)?;
        if !answers.is_empty() && server.refusals.admit(now).is_some() {
            let handler = tool.tool.name();
            tracing::info!(
                handler,
                "answers came without a requestState; the client may have lost it"
            );
        }
        let mut root = [0; 16];
        shared.world.random(&mut root).map_err(|error| {
            tracing::error!(%error, "a flow cannot start");
            Refusal::internal()
        })?;
        let mut round = Round::first(Root(root), now, limits);
        take(&mut round, &answers, false);
        return Ok(round);
    };
    let opened = shared
        .sealer
        .open(&state, bind, now, limits.rounds, limits.state);
    let state = opened.map_err(|reason| {
        report(server, tool, reason);
        refused_state()
    })?;
    let answers = responses(request.params.input_responses, limits.responses)?;
    let late = now >= state.round_end;
    let mut round = Round::resume(state, limits);
    take(&mut round, &answers, late);
    Ok(round)
}

fn take(round: &mut Round, answers: &Responses<'_>, late: bool) {
    round.take_answers(answers.iter().map(|(name, raw)| (&**name, raw.get())), late);
}

/// Tells the log and observers why a state was refused; the log not more often than it can bear.
fn report(server: &Inner, tool: &Registered, reason: Refused) {
    let handler = tool.tool.name();
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

/// What a run needs beside the request.
struct Start {
    round: Round,
    bind: Bind,
    permit: OwnedSemaphorePermit,
}

/// Starts the handler; it runs when the conversation is polled.
fn start(
    server: &Arc<Inner>,
    tool: &Registered,
    request: Checked<'_>,
    start: Start,
) -> Conversation {
    let Start {
        round,
        bind,
        permit,
    } = start;
    trace::in_flow(
        &request.span,
        tool.tool.name(),
        || ident::flow_id(round.root()).to_string(),
        round.number(),
    );
    let (notifier, notifications) = notifier(&request);
    let call = Call(Arc::new(CallData {
        handler: Arc::clone(&tool.name),
        arguments: request.params.arguments.map(RawValue::to_owned),
        meta: request.params.meta.map(RawValue::to_owned),
        principal: request.principal,
        #[cfg(feature = "http")]
        parts: request.head.parts().cloned(),
        root: *round.root(),
        round: round.number(),
        start: round.start(),
        notifier,
        cancelled: CancellationToken::new(),
        shared: Arc::clone(&server.shared),
    }));
    let work = execute(Execution {
        tool: Arc::clone(&tool.tool),
        call,
        round,
        client: request.meta.client,
        bind,
        time_limit: tool.time_limit,
        commit_limit: server.commit_limit,
        permit: Some(permit),
    });
    Conversation {
        server: Arc::clone(server),
        id: request.id.as_json().into(),
        work: Box::pin(work),
        notifications,
        ended: None,
        over: false,
        span: request.span,
    }
}

/// The way for the notifications that the request asked for, if it asked for any.
fn notifier(request: &Checked<'_>) -> (Notifier, Option<mpsc::Receiver<String>>) {
    let (token, level) = (request.meta.token, request.meta.level);
    if token.is_none() && level.is_none() {
        return (Notifier::none(), None);
    }
    let (sender, receiver) = mpsc::channel(NOTIFICATIONS);
    (
        Notifier::new(Some(sender), token.map(RawValue::to_owned), level),
        Some(receiver),
    )
}

/// Whether a caller may call a tool at all.
#[derive(Debug, Default)]
pub(crate) struct Access {
    /// Tools that commit need a caller who has signed in.
    pub(crate) signed_in_commits: bool,
    /// What a caller is told who has to sign in.
    pub(crate) challenge: String,
    /// Somebody resolves callers, so that signing in would help.
    pub(crate) resolves: bool,
}

impl Access {
    fn check(
        &self,
        tool: &crate::tool::Tool,
        principal: Option<&Principal>,
    ) -> Result<(), Refusal> {
        let needed =
            (tool.commits && self.signed_in_commits) || (tool.needs.principal && self.resolves);
        if needed && principal.is_none() {
            return Err(Refusal::unauthorized(self.challenge.clone()));
        }
        Ok(())
    }
}
