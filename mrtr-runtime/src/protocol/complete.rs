//! `completion/complete`: values for an argument that is being typed.
//!
//! Source: MCP 2026-07-28, server/utilities/completion.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mrtr_core::json::Value;
use mrtr_core::text::log_name;
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;

use crate::completion::{Completers, Completing, Completions};
use crate::error::{Kind, ToolError};
use crate::handler::{HandlerKind, Output};
use crate::run::Ended;
use crate::server::{Inner, Registered};

use super::{Accepted, Checked, Conversation, Refusal};

/// What is completed: an argument of a prompt, or a variable of a template.
#[derive(Deserialize)]
#[serde(tag = "type")]
enum Reference<'a> {
    #[serde(rename = "ref/prompt")]
    Prompt {
        #[serde(borrow)]
        name: Cow<'a, str>,
    },
    #[serde(rename = "ref/resource")]
    Resource {
        #[serde(borrow)]
        uri: Cow<'a, str>,
    },
}

#[derive(Deserialize)]
struct Argument<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    value: Cow<'a, str>,
}

#[derive(Default, Deserialize)]
struct Context {
    #[serde(default)]
    arguments: BTreeMap<String, String>,
}

/// Whose argument it is.
struct Target<'a> {
    handler: &'a Arc<Registered>,
    completers: &'a Completers,
    names: Vec<&'a str>,
}

pub(super) fn serve(server: &Arc<Inner>, request: Checked<'_>) -> Result<Accepted, Refusal> {
    let reference: Reference<'_> = member(
        request.params.reference,
        "`ref` must name a prompt (`ref/prompt`) or a template (`ref/resource`)",
    )?;
    let argument: Argument<'_> = member(
        request.params.argument,
        "`argument` must have a `name` and a `value`, both strings",
    )?;
    let context: Context = match request.params.context {
        None => Context::default(),
        raw => member(raw, "`context.arguments` must be an object of strings")?,
    };
    let target = target(server, &reference)?;
    if !target.names.contains(&&*argument.name) {
        let name = log_name(&argument.name);
        return Err(Refusal::invalid_params(format!("unknown argument: {name}")));
    }
    server.access.check(
        &target.handler.handler,
        request.head,
        request.principal.as_ref(),
    )?;
    let permit = Arc::clone(&server.slots).try_acquire_owned();
    let permit = permit.map_err(|_| Refusal::busy())?;
    let completing = Completing {
        value: argument.value.into_owned(),
        others: context.arguments,
        principal: request.principal,
        shared: Arc::clone(&server.shared),
    };
    let complete = target.completers.get(&argument.name).cloned();
    // The author's function is called where a panic is caught.
    let values = async move {
        match complete {
            Some(complete) => complete(completing).await,
            None => Ok(Completions::default()),
        }
    };
    Ok(Accepted::Running(Box::new(Conversation {
        server: Arc::clone(server),
        id: request.id.as_json().into(),
        work: Box::pin(work(
            values,
            Arc::clone(&target.handler.name),
            target.handler.time_limit,
            permit,
        )),
        notifications: None,
        ended: None,
        over: false,
        panicked: "completing an argument panicked",
        endless: false,
        span: request.span,
    })))
}

/// Reads a member as the types above have it. A derived struct would take an array, too.
fn member<'a, T: Deserialize<'a>>(
    value: Option<Value<'a>>,
    must: &'static str,
) -> Result<T, Refusal> {
    value
        .filter(|value| value.is_object())
        .and_then(|value| serde_json::from_str(value.raw()).ok())
        .ok_or_else(|| Refusal::invalid_params(must))
}

fn target<'a>(server: &'a Inner, reference: &Reference<'_>) -> Result<Target<'a>, Refusal> {
    let found = match reference {
        Reference::Prompt { name } => server.prompts.get(&**name).map(|prompt| Target {
            handler: &prompt.handler,
            completers: &prompt.completers,
            names: prompt.arguments.iter().map(|known| known.name).collect(),
        }),
        Reference::Resource { uri } => server.resources.template(uri).map(|found| Target {
            handler: found.handler,
            completers: found.completers,
            names: found.names,
        }),
    };
    found.ok_or_else(|| match reference {
        Reference::Prompt { name } => {
            Refusal::invalid_params(format!("unknown prompt: {}", log_name(name)))
        }
        Reference::Resource { uri } => {
            Refusal::invalid_params(format!("unknown template: {}", log_name(uri)))
        }
    })
}

async fn work(
    values: impl Future<Output = Result<Completions, ToolError>>,
    handler: Arc<str>,
    limit: Duration,
    _permit: OwnedSemaphorePermit,
) -> Result<Ended, Refusal> {
    Ok(match tokio::time::timeout(limit, values).await {
        Ok(Ok(values)) => Ended::Complete(Output::Completions(values)),
        Ok(Err(error)) => match error.kind {
            Kind::User(text) | Kind::NotFound(text) => Ended::failure(HandlerKind::Prompt, text),
            Kind::Protocol(error) => Ended::Failed(error),
            Kind::Internal(error) => {
                tracing::error!(%handler, %error, "an argument could not be completed");
                Ended::internal()
            }
        },
        Err(_) => {
            tracing::warn!(%handler, ?limit, "completing an argument took longer than the limit");
            Ended::failure(HandlerKind::Prompt, "completing took too long")
        }
    })
}
