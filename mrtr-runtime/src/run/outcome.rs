//! What a run comes to on the wire.

use bytes::Bytes;
use mrtr_core::capability::Capabilities;
use mrtr_core::round::{End, OpenQuestion};
use serde_json::value::RawValue;

use crate::call::Call;
use crate::content::ToolResult;
use crate::error::{self, Certainty, Kind, RpcError, ToolError};
use crate::flow::FlowError;
use crate::handler::{HandlerKind, Output};
use crate::observe::Ending;

/// What a request for a handler is answered with.
#[derive(Debug)]
pub(crate) enum Ended {
    /// A final result.
    Complete(Output),
    /// Questions, and the sealed state to bring back with their answers.
    Asked {
        questions: Vec<OpenQuestion>,
        state: String,
    },
    /// A JSON-RPC error.
    Failed(RpcError),
    /// The `result` or `error` member as it stands in the flow's record.
    Recorded(Bytes),
    /// The server ended a subscription; its name as JSON text.
    Unsubscribed(Box<str>),
    /// Nothing: the client has gone away.
    Cancelled,
}

impl Ended {
    /// How an observer is told of it; questions do not end a call.
    pub(super) fn ending(&self) -> Option<Ending> {
        match self {
            Self::Complete(result) if result.is_error() => Some(Ending::ToolError),
            Self::Complete(_) => Some(Ending::Result),
            Self::Recorded(member) => Some(of_record(member)),
            Self::Asked { .. } | Self::Unsubscribed(_) => None,
            Self::Failed(_) => Some(Ending::Error),
            Self::Cancelled => Some(Ending::Cancelled),
        }
    }

    /// The server's own fault, in words that give nothing away.
    pub(crate) fn internal() -> Self {
        Self::Failed(RpcError::new(error::INTERNAL_ERROR, "internal error"))
    }

    /// A failure of a tool, which the model may read.
    pub(crate) fn tool_error(text: impl Into<String>) -> Self {
        Self::Complete(Output::Tool(ToolResult::error(text)))
    }

    /// A failure that the caller may read, in the form that the kind of handler has for it.
    pub(crate) fn failure(kind: HandlerKind, text: impl Into<String>) -> Self {
        match kind {
            HandlerKind::Tool => Self::tool_error(text),
            HandlerKind::Prompt | HandlerKind::Resource => {
                Self::Failed(RpcError::new(error::INTERNAL_ERROR, text))
            }
        }
    }

    /// A resource that is not there.
    pub(crate) fn not_found(message: impl Into<String>, uri: &str) -> Self {
        let error = RpcError::new(error::INVALID_PARAMS, message);
        Self::Failed(error.with(&serde_json::json!({ "uri": uri })))
    }
}

/// How a recorded call ended; the record is the member of the response as it was written.
fn of_record(member: &[u8]) -> Ending {
    #[derive(serde::Deserialize)]
    struct Written {
        #[serde(default, rename = "isError")]
        is_error: bool,
    }
    let Some(result) = member.strip_prefix(br#""result":"#) else {
        return Ending::Error;
    };
    match serde_json::from_slice(result) {
        Ok(Written { is_error: true }) => Ending::ToolError,
        _ => Ending::Result,
    }
}

/// What an author's error is answered with. Internal texts stay in the log.
pub(super) fn of_error(call: &Call, error: ToolError) -> Ended {
    let handler = call.handler();
    match error.kind {
        Kind::User(message) if error.certainty == Certainty::Unknown => {
            let unknown = FlowError::Unknown.text(call.flow_id());
            Ended::failure(call.0.kind, format!("{message}. {unknown}"))
        }
        Kind::User(message) => Ended::failure(call.0.kind, message),
        Kind::NotFound(message) => match call.uri() {
            Some(uri) => Ended::not_found(message, uri),
            None => Ended::failure(call.0.kind, message),
        },
        Kind::Internal(error) => {
            tracing::error!(handler, error = %error, "the handler failed");
            let noun = call.0.kind.noun();
            let text = format!("the {noun} failed; the reason is in the server's log");
            Ended::failure(call.0.kind, text)
        }
        Kind::Protocol(error) => Ended::Failed(error),
    }
}

/// What the end of a call without its handler's result is answered with.
pub(super) fn of_end(call: &Call, end: &End) -> Ended {
    if end.is_fault() {
        let handler = call.handler();
        tracing::error!(handler, reason = %end, "the handler is at fault");
    }
    match end {
        End::Unsupported(_, missing) => Ended::Failed(missing_capability(*missing)),
        End::AskedAfterCommit(_) => Ended::internal(),
        _ => of_ask(call, end),
    }
}

/// A call that ended in an ask. Where that is an error, programs find the ask in its data.
fn of_ask(call: &Call, end: &End) -> Ended {
    match Ended::failure(call.0.kind, end.to_string()) {
        Ended::Failed(error) => Ended::Failed(match end.key() {
            Some(key) => error.with(&serde_json::json!({ "ask": key.as_str() })),
            None => error,
        }),
        ended => ended,
    }
}

/// The error for a client that did not declare what questions need.
pub(crate) fn missing_capability(missing: Capabilities) -> RpcError {
    let data = format!(r#"{{"requiredCapabilities":{}}}"#, missing.to_json());
    let data = RawValue::from_string(data).expect("invariant: the capabilities are JSON");
    RpcError {
        code: error::MISSING_CAPABILITY,
        message: "the client does not declare a capability that this call needs".into(),
        data: Some(data),
    }
}
