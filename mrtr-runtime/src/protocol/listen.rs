//! `subscriptions/listen`: a stream of notifications about what has changed.
//!
//! Source: MCP 2026-07-28, basic/patterns/subscriptions. The acknowledgement comes first and names
//! what will be told. When the server ends it, the response comes last; over stdio a cancellation
//! comes before it, because the page on cancellation asks for that.

use std::sync::Arc;

use mrtr_core::json::Value;
use mrtr_core::principal::Principal;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::changes::{Filter, Listening};
use crate::run::Ended;
use crate::server::Inner;

use super::{Accepted, Checked, Conversation, Refusal};

/// How many URIs one subscription may name.
pub(crate) const MOST_URIS: usize = 1000;

/// What a client wants to be told of.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    #[serde(default)]
    tools_list_changed: Option<bool>,
    #[serde(default)]
    prompts_list_changed: Option<bool>,
    #[serde(default)]
    resources_list_changed: Option<bool>,
    #[serde(default)]
    resource_subscriptions: Option<Vec<Box<str>>>,
}

pub(super) fn serve(server: &Arc<Inner>, request: Checked<'_>) -> Result<Accepted, Refusal> {
    let wanted = wanted(request.params.notifications)?;
    let caller = request.principal.as_ref();
    let filter = honoured(server, wanted, caller);
    let listening = server
        .changes
        .listen(filter, caller, server.max_subscriptions);
    let listening = listening.ok_or_else(Refusal::busy)?;
    // One message at a time: what waits, waits in the subscription, where it is bounded.
    let (sender, notifications) = mpsc::channel(1);
    let stream = Stream {
        id: request.id.as_json().into(),
        line: !request.head.is_http(),
        sender,
    };
    Ok(Accepted::Running(Box::new(Conversation {
        server: Arc::clone(server),
        id: request.id.as_json().into(),
        work: Box::pin(async { Ok(stream.run(listening).await) }),
        notifications: Some(notifications),
        ended: None,
        over: false,
        panicked: "a subscription panicked",
        endless: true,
        span: request.span,
    })))
}

fn wanted(value: Option<Value<'_>>) -> Result<Wanted, Refusal> {
    let wanted: Option<Wanted> = value
        .filter(|value| value.is_object())
        .and_then(|value| serde_json::from_str(value.raw()).ok());
    let wanted = wanted.ok_or_else(|| {
        Refusal::invalid_params("`notifications` must be an object that says what to be told of")
    })?;
    let uris = wanted.resource_subscriptions.as_deref().unwrap_or_default();
    if uris.len() > MOST_URIS {
        return Err(Refusal::invalid_params(format!(
            "`resourceSubscriptions` has more than {MOST_URIS} URIs"
        )));
    }
    Ok(wanted)
}

/// The part of it that this server can tell this caller.
fn honoured(server: &Inner, wanted: Wanted, principal: Option<&Principal>) -> Filter {
    let uris = wanted.resource_subscriptions.unwrap_or_default();
    let readable = |uri: &str| is_readable(server, uri, principal);
    let mut uris: Vec<Box<str>> = uris.into_iter().filter(|uri| readable(uri)).collect();
    uris.sort_unstable();
    uris.dedup();
    let lists = every_list(server);
    Filter {
        tools: wanted.tools_list_changed == Some(true) && lists.tools,
        prompts: wanted.prompts_list_changed == Some(true) && lists.prompts,
        resources: wanted.resources_list_changed == Some(true) && lists.resources,
        uris,
    }
}

/// All the lists that this server has.
pub(crate) fn every_list(server: &Inner) -> Filter {
    Filter {
        tools: !server.tools.is_empty(),
        prompts: !server.prompts.is_empty(),
        resources: !server.resources.is_empty(),
        uris: Vec::new(),
    }
}

/// Whether there is such a resource for this caller.
pub(crate) fn is_readable(server: &Inner, uri: &str, principal: Option<&Principal>) -> bool {
    let found = server.resources.find(uri);
    found.is_some_and(|(found, _)| principal.is_some() || !found.handler.needs.principal)
}

/// The way to the client.
struct Stream {
    /// The id of the request, as JSON text: the name of the subscription.
    id: Box<str>,
    /// It is a line among others, so that it cannot end by being closed.
    line: bool,
    sender: mpsc::Sender<String>,
}

impl Stream {
    async fn run(self, listening: Listening) -> Ended {
        let filter = listening.filter();
        self.send(
            "notifications/subscriptions/acknowledged",
            &format!(r#""notifications":{},"#, text(&filter)),
        )
        .await;
        while let Some(change) = listening.next().await {
            let uri = change.uri().map(|uri| format!(r#""uri":{},"#, text(&uri)));
            self.send(change.method(), &uri.unwrap_or_default()).await;
        }
        if self.line {
            let request = format!(r#""requestId":{},"#, self.id);
            self.send("notifications/cancelled", &request).await;
        }
        Ended::Unsubscribed(self.id)
    }

    /// `params` are members, each with a comma after it.
    async fn send(&self, method: &str, params: &str) {
        let id = &self.id;
        let message = format!(
            r#"{{"jsonrpc":"2.0","method":"{method}","params":{{{params}"_meta":{{"{SUBSCRIPTION}":{id}}}}}}}"#
        );
        // Nobody takes it any more when this fails, and the stream is dropped for it.
        let _ = self.sender.send(message).await;
    }
}

/// The member of `_meta` that names the subscription.
pub(crate) const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("invariant: our own wire types serialise")
}
