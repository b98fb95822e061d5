//! The protocol of revision 2026-07-28: from the bytes of one message to its answer.
//!
//! One request in, one response out; nothing is kept between two requests. The checks come in the
//! order of the functions [`accept`] calls: shape, era, version, headers, method, and then what
//! the method itself requires. Adding a method is a row in [`METHODS`].

mod call;
mod complete;
mod conversation;
mod discover;
mod encode;
mod era;
mod list;
mod listen;
mod message;
mod meta;
mod mirror;
mod opening;
mod params;
mod prompt;
mod read;
mod refusal;
mod request;
mod response;
#[cfg(test)]
mod tests;
mod trace;

use std::sync::Arc;

use mrtr_core::json::Value;
use mrtr_core::principal::Principal;
use tracing::Span;

use crate::server::Inner;

use era::{Era, Signs, era};
use meta::{Meta, RawMeta};
use params::Params;

pub(crate) use call::Access as CallAccess;
pub(crate) use conversation::{Begun, Conversation};
pub(crate) use discover::discovered;
#[cfg(all(feature = "legacy", feature = "http"))]
pub(crate) use era::HANDSHAKE;
pub(crate) use era::MODERN;
pub(crate) use list::{Listed, listed};
pub(crate) use listen::SUBSCRIPTION;
#[cfg(feature = "legacy")]
pub(crate) use listen::{MOST_URIS, every_list, is_readable};
pub(crate) use message::{Id, IdKey, Incoming, Malformed, Message, Notice, read};
pub(crate) use mirror::Mirror;
#[cfg(feature = "testing")]
pub(crate) use opening::FIRST_DRAW;
pub(crate) use refusal::Refusal;
pub(crate) use request::Head;
#[cfg(feature = "legacy")]
pub(crate) use request::PassedHead;
pub use request::Request;
pub use response::{Events, Reply, Response};

/// The revisions that this server speaks, newest first.
pub(crate) const VERSIONS: &[&str] = &[MODERN];

/// What a method's function gets: everything that was checked before.
struct Checked<'a> {
    id: Id<'a>,
    method: &'static str,
    params: &'a Params<'a>,
    meta: &'a Meta<'a>,
    head: &'a Head,
    principal: Option<Principal>,
    span: Span,
}

/// What a request comes to before anything runs.
pub(crate) enum Accepted {
    /// The answer is known.
    Answered(Response),
    /// A handler has to run.
    Running(Box<Conversation>),
}

/// A method of the protocol.
struct Method {
    name: &'static str,
    /// Which member `Mcp-Name` repeats: it names what is asked for.
    names: Names,
    /// Whether a server serves it: a feature that nothing was registered for does not exist.
    served: fn(&Inner) -> bool,
    serve: fn(&Arc<Inner>, Checked<'_>) -> Result<Accepted, Refusal>,
}

/// A member of `params` that names what is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Nothing,
    Name,
    Uri,
}

const METHODS: &[Method] = &[
    Method {
        name: "tools/call",
        names: Names::Name,
        served: |server| !server.tools.is_empty(),
        serve: call::serve,
    },
    Method {
        name: "tools/list",
        names: Names::Nothing,
        served: |server| !server.tools.is_empty(),
        serve: list::tools,
    },
    Method {
        name: "prompts/get",
        names: Names::Name,
        served: |server| !server.prompts.is_empty(),
        serve: prompt::serve,
    },
    Method {
        name: "prompts/list",
        names: Names::Nothing,
        served: |server| !server.prompts.is_empty(),
        serve: list::prompts,
    },
    Method {
        name: "resources/read",
        names: Names::Uri,
        served: |server| !server.resources.is_empty(),
        serve: read::serve,
    },
    Method {
        name: "resources/list",
        names: Names::Nothing,
        served: |server| !server.resources.is_empty(),
        serve: list::resources,
    },
    Method {
        name: "resources/templates/list",
        names: Names::Nothing,
        served: |server| !server.resources.is_empty(),
        serve: list::templates,
    },
    Method {
        name: "completion/complete",
        names: Names::Nothing,
        served: |server| server.completes,
        serve: complete::serve,
    },
    Method {
        name: "subscriptions/listen",
        names: Names::Nothing,
        served: |server| server.changes.is_taken(),
        serve: listen::serve,
    },
    Method {
        name: "server/discover",
        names: Names::Nothing,
        served: |_| true,
        serve: discover::serve,
    },
];

/// Takes one message that came in as bytes.
pub(crate) fn accept(
    server: &Arc<Inner>,
    head: &Head,
    body: &[u8],
    principal: Option<Principal>,
) -> Accepted {
    match message::read(body) {
        Ok(Message::Request(request)) => accept_request(server, head, request, principal),
        Ok(Message::Notification(notice)) => {
            let method = mrtr_core::text::log_name(&notice.method);
            tracing::debug!(%method, "a notification was passed over");
            Accepted::Answered(Response::Accepted)
        }
        Err(malformed) => Accepted::Answered(refuse_malformed(head, malformed)),
    }
}

/// Takes one request whose envelope has been read.
pub(crate) fn accept_request(
    server: &Arc<Inner>,
    head: &Head,
    request: Incoming<'_>,
    principal: Option<Principal>,
) -> Accepted {
    let id = request.id;
    let accepted = check(server, head, &request).and_then(|(method, params, meta)| {
        if server.require_principal && principal.is_none() {
            return Err(Refusal::unauthorized(server.access.challenge.clone()));
        }
        let span = trace::span(&request, &meta.version, meta.traceparent.as_deref());
        let checked = Checked {
            id,
            method: method.name,
            params: &params,
            meta: &meta,
            head,
            principal,
            span: span.clone(),
        };
        let served = span.in_scope(|| (method.serve)(server, checked));
        served.inspect_err(|refusal| trace::failed(&span, refusal.error.code))
    });
    accepted.unwrap_or_else(|refusal| {
        let method = mrtr_core::text::log_name(&request.method);
        tracing::debug!(%method, code = refusal.error.code, "a request was refused");
        Accepted::Answered(Response::Json(Reply::refused(Some(id.as_json()), refusal)))
    })
}

/// The checks that all methods share, in the order in which their errors win.
fn check<'a>(
    server: &Inner,
    head: &'a Head,
    request: &'a Incoming<'_>,
) -> Result<(&'static Method, Params<'a>, Meta<'a>), Refusal> {
    let params = Params::read(request.params());
    let raw = RawMeta::read(params.as_ref().ok().and_then(|params| params.meta));
    let header = head.header("mcp-protocol-version")?;
    let signs = Signs {
        names_version: raw.as_ref().is_ok_and(RawMeta::names_version),
        http: head.is_http(),
        header,
        method: &request.method,
    };
    if head.is_http() && header.is_none() {
        return Err(no_version_header(era(signs)));
    }
    let params = params?;
    let meta = match era(signs) {
        Era::Handshake => return Err(handshake()),
        Era::Modern => raw?.check()?,
    };
    if header.is_some_and(|header| header != meta.version) {
        return Err(Refusal::header(
            "the header `MCP-Protocol-Version` differs from `_meta`",
        ));
    }
    if !VERSIONS.contains(&&*meta.version) {
        return Err(Refusal::version(&meta.version));
    }
    mirror::check_method(head, &request.method)?;
    let method = METHODS
        .iter()
        .find(|method| method.name == request.method)
        .filter(|method| (method.served)(server) || head.handler().is_some());
    let method = method.ok_or_else(|| Refusal::unknown_method(&request.method))?;
    // A name that is missing or no text is the method's own complaint.
    let named = match method.names {
        Names::Nothing => None,
        Names::Name => params.name,
        Names::Uri => params.uri,
    };
    if let Some(name) = named.and_then(Value::as_str) {
        mirror::check_name(head, &name)?;
    }
    Ok((method, params, meta))
}

fn no_version_header(era: Era) -> Refusal {
    let refusal = Refusal::header("the header `MCP-Protocol-Version` is missing");
    match era {
        Era::Modern => refusal,
        // An old client shows the text only, so it must say what would work.
        Era::Handshake => Refusal::header(format!(
            "the header `MCP-Protocol-Version` is missing; this server speaks {}",
            VERSIONS.join(", ")
        )),
    }
}

/// A request of the revisions with a handshake, outside of any session.
fn handshake() -> Refusal {
    let versions = VERSIONS.join(", ");
    let remedy = if cfg!(feature = "legacy") {
        format!("name {versions} there, or open a session of an older revision with `initialize`")
    } else {
        format!("this server speaks {versions}, without a handshake")
    };
    Refusal::meta(format!(
        "the request's `_meta` names no protocol version: {remedy}"
    ))
}

/// On a byte stream nobody waits for an answer to a notification, however malformed it is; an
/// HTTP request is always answered.
fn refuse_malformed(head: &Head, malformed: Malformed<'_>) -> Response {
    let reason = &malformed.error.message;
    tracing::debug!(%reason, "a message was refused");
    if malformed.unanswerable && !head.is_http() {
        return Response::Nothing;
    }
    Response::Json(Reply::refused(
        malformed.id.map(Id::as_json),
        Refusal::new(400, malformed.error),
    ))
}
