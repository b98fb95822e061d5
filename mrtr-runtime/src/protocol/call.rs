//! `tools/call`, and what must hold before a handler of any kind runs, and the run itself.
//!
//! Source: MCP 2026-07-28, server/tools, "Calling tools", and basic/patterns/mrtr.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use futures_util::FutureExt;
use mrtr_core::ident;
use mrtr_core::json::Value;
use mrtr_core::principal::Principal;
use mrtr_core::text::log_name;
use serde_json::value::RawValue;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tracing::Span;

use crate::call::{Call, CallData};
use crate::client::ClientCapabilities;
use crate::flow::{Epoch, FlowError, FlowStore};
use crate::notify::Notifier;
use crate::observe::{Ending, Event, EventKind};
use crate::run::{Ended, Execution, Live, Run, execute, missing_capability};
use crate::server::{Inner, Registered};

use super::conversation::Work;
use super::opening::{Opening, presented};
use super::params::{Params, responses};
use super::{Accepted, Checked, Conversation, Head, Refusal, mirror, trace};

/// How many notifications wait for a slow client before the handler waits, too.
const NOTIFICATIONS: usize = 16;

/// `tools/call`.
pub(super) fn serve(server: &Arc<Inner>, request: Checked<'_>) -> Result<Accepted, Refusal> {
    let name = named(request.params, "tool")?;
    let arguments = arguments(request.params)?;
    request.params.check(server.shared.limits.depth)?;
    let tool = (request.head.handler())
        .or_else(|| server.tool(&name))
        .ok_or_else(|| Refusal::invalid_params(format!("unknown tool: {}", log_name(&name))))?;
    mirror::check_arguments(request.head, &tool.mirrors, arguments)?;
    let subject = Subject {
        arguments: arguments.map(|arguments| arguments.raw().into()),
        uri: None,
    };
    start(server, tool, request, subject)
}

/// What a request wants of a handler.
pub(super) struct Subject {
    /// The arguments, or the variables of a template, as JSON text.
    pub(super) arguments: Option<Box<str>>,
    /// The URI that is read.
    pub(super) uri: Option<Box<str>>,
}

/// Starts a handler that was found, after the checks that all kinds share.
pub(super) fn start(
    server: &Arc<Inner>,
    handler: &Arc<Registered>,
    request: Checked<'_>,
    subject: Subject,
) -> Result<Accepted, Refusal> {
    server
        .access
        .check(&handler.handler, request.head, request.principal.as_ref())?;
    let opening = opening(server, &request)?;
    if opening.state.is_none() {
        check_capabilities(server, handler, &request)?;
    }
    let permit = Arc::clone(&server.slots).try_acquire_owned();
    let permit = permit.map_err(|_| Refusal::busy())?;
    let (id, span) = (request.id.as_json().into(), request.span.clone());
    let (start, notifications) = Start::new(server, handler, request, subject, permit);
    Ok(Accepted::Running(Box::new(Conversation {
        server: Arc::clone(server),
        id,
        work: start.work(opening)?,
        notifications,
        ended: None,
        over: false,
        // What is left to panic is a destructor of the handler's.
        panicked: "the handler panicked while it was dropped",
        endless: false,
        span,
    })))
}

/// The name of what is asked for.
pub(super) fn named<'a>(params: &Params<'a>, what: &str) -> Result<Cow<'a, str>, Refusal> {
    let name = params.name.and_then(Value::as_str);
    name.ok_or_else(|| Refusal::invalid_params(format!("`name` must be the name of a {what}")))
}

/// The arguments, which are an object if they are there.
pub(super) fn arguments<'a>(params: &Params<'a>) -> Result<Option<Value<'a>>, Refusal> {
    match params.arguments {
        Some(arguments) if !arguments.is_object() => {
            Err(Refusal::invalid_params("`arguments` must be an object"))
        }
        arguments => Ok(arguments),
    }
}

fn opening<'a>(server: &Inner, request: &Checked<'a>) -> Result<Opening<'a>, Refusal> {
    let state = presented(request.params)?;
    let most = server.shared.limits.responses;
    let answers = responses(request.params.input_responses, most)?;
    Ok(Opening {
        method: request.method,
        live: request.head.live().map(|(_, root)| root),
        digest: request.params.digest()?,
        state,
        answers,
    })
}

/// The questions that every path asks must be ones that this client can be asked. Later rounds
/// look at each ask: what is answered already needs no capability any more.
fn check_capabilities(
    server: &Inner,
    handler: &Registered,
    request: &Checked<'_>,
) -> Result<(), Refusal> {
    let needs = handler.handler.required_capabilities();
    let missing = request.meta.client.lacks(needs);
    if missing.is_empty() {
        return Ok(());
    }
    server.shared.tell(&Event {
        handler: handler.handler.name,
        flow: None,
        round: 0,
        kind: EventKind::Ended(Ending::Error),
    });
    Err(Refusal::new(400, missing_capability(missing)))
}

/// A call that is about to start: everything of the request but its flow.
///
/// What it has of the server is borrowed, unless it has to wait: counting who holds it is among the
/// dearest that a call does.
struct Start<'a> {
    server: Cow<'a, Arc<Inner>>,
    handler: Cow<'a, Arc<Registered>>,
    method: &'static str,
    subject: Subject,
    meta: Option<Box<str>>,
    principal: Option<Principal>,
    #[cfg(feature = "http")]
    parts: Option<Arc<http::request::Parts>>,
    client: ClientCapabilities,
    notifier: Notifier,
    live: Option<Arc<Live>>,
    permit: OwnedSemaphorePermit,
    span: Span,
}

impl<'a> Start<'a> {
    fn new(
        server: &'a Arc<Inner>,
        handler: &'a Arc<Registered>,
        request: Checked<'_>,
        subject: Subject,
        permit: OwnedSemaphorePermit,
    ) -> (Self, Option<mpsc::Receiver<String>>) {
        let (notifier, notifications) = notifier(&request);
        let start = Self {
            server: Cow::Borrowed(server),
            handler: Cow::Borrowed(handler),
            method: request.method,
            subject,
            meta: request.params.meta.map(|meta| meta.raw().into()),
            principal: request.principal,
            #[cfg(feature = "http")]
            parts: request.head.parts().cloned(),
            client: request.meta.client,
            notifier,
            live: request.head.live().map(|(live, _)| live),
            permit,
            span: request.span,
        };
        (start, notifications)
    }

    /// The work of the call. A tool that commits is bound to the flow store's epoch, which has to
    /// be asked for; every other state is opened before anything runs.
    fn work(self, opening: Opening<'_>) -> Result<Work, Refusal> {
        match &self.server.shared.flows {
            Some(flows) if self.handler.handler.commits => {
                let flows = Arc::clone(flows);
                let start = self.into_owned();
                Ok(Box::pin(start.with_store(flows, opening.into_owned())))
            }
            _ => {
                let execution = self.execution(&opening, None)?;
                Ok(Box::pin(execute(execution).map(Ok)))
            }
        }
    }

    /// The same, borrowed from nothing.
    fn into_owned(self) -> Start<'static> {
        Start {
            server: Cow::Owned(self.server.into_owned()),
            handler: Cow::Owned(self.handler.into_owned()),
            ..self
        }
    }

    async fn with_store(
        self,
        flows: Arc<dyn FlowStore>,
        opening: Opening<'static>,
    ) -> Result<Ended, Refusal> {
        let epoch = match flows.epoch().await {
            Ok(epoch) => epoch,
            Err(error) => {
                tracing::error!(handler = self.handler.handler.name, %error, "nothing was carried out");
                return Ok(Ended::tool_error(FlowError::Unavailable.sentence()));
            }
        };
        Ok(execute(self.execution(&opening, Some(epoch))?).await)
    }

    /// Opens the flow; the handler runs when what comes of this is polled.
    fn execution(self, opening: &Opening<'_>, epoch: Option<Epoch>) -> Result<Execution, Refusal> {
        let server = &self.server;
        let bind = opening.bind(server, epoch, self.principal.as_ref());
        let (round, random) = opening.round(server, &self.handler, &bind)?;
        trace::in_flow(
            &self.span,
            self.method,
            &self.handler.handler,
            || ident::flow_id(round.root()).to_string(),
            round.number(),
        );
        let call = Call(Arc::new(CallData {
            kind: self.handler.handler.kind,
            handler: Arc::clone(&self.handler.name),
            arguments: self.subject.arguments,
            uri: self.subject.uri,
            answered: !opening.answers.is_empty(),
            meta: self.meta,
            principal: self.principal,
            #[cfg(feature = "http")]
            parts: self.parts,
            root: *round.root(),
            round: round.number(),
            start: round.start(),
            notifier: self.notifier,
            cancelled: OnceLock::new(),
            shared: Arc::clone(&server.shared),
        }));
        Ok(Execution {
            handler: Arc::clone(&self.handler.handler),
            call,
            run: Arc::new(Run::new(round, random, self.live)),
            client: self.client,
            bind,
            epoch,
            time_limit: self.handler.time_limit,
            commit_limit: server.commit_limit,
            permit: Some(self.permit),
        })
    }
}

fn owned(token: Value<'_>) -> Box<RawValue> {
    RawValue::from_string(token.raw().to_owned()).expect("invariant: it was read as JSON")
}

/// The way for the notifications that the request asked for, if it asked for any.
fn notifier(request: &Checked<'_>) -> (Notifier, Option<mpsc::Receiver<String>>) {
    let (token, level) = (request.meta.token, request.meta.level);
    if token.is_none() && level.is_none() {
        return (Notifier::none(), None);
    }
    let (sender, receiver) = mpsc::channel(NOTIFICATIONS);
    (
        Notifier::new(Some(sender), token.map(owned), level),
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
    pub(super) fn check(
        &self,
        handler: &crate::handler::Handler,
        head: &Head,
        principal: Option<&Principal>,
    ) -> Result<(), Refusal> {
        // Over HTTP a challenge gets the client to sign in; elsewhere the tool's own words do more.
        let wanted = handler.needs.principal && self.resolves && head.is_http();
        let needed = wanted || (handler.commits && self.signed_in_commits);
        if needed && principal.is_none() {
            return Err(Refusal::unauthorized(self.challenge.clone()));
        }
        Ok(())
    }
}
