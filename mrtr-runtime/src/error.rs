//! How a handler says that it failed, and who gets to read it.

use std::error::Error;
use std::fmt;

/// Why a handler did not give a result.
///
/// Who reads what: [`ToolError::user`] is a tool result with `isError`, shown to the model;
/// [`ToolError::internal`], and every other error that comes through `?`, is logged and answered
/// with one fixed line; [`ToolError::protocol`] is a JSON-RPC error. Prompts and resources have no
/// such results: there every failure is a JSON-RPC error, -32603 where nothing else is said.
pub struct ToolError {
    pub(crate) kind: Kind,
    pub(crate) certainty: Certainty,
}

pub(crate) enum Kind {
    User(String),
    /// A resource that does not exist.
    NotFound(String),
    Internal(Box<dyn Error + Send + Sync>),
    Protocol(RpcError),
}

/// What the author knows of the effects that the commit may have had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// The error is the recorded end of the flow.
    Ended,
    /// Nothing happened: the same round may be tried again.
    NothingDone,
    /// Nobody knows.
    Unknown,
}

impl ToolError {
    /// A failure that the model may read, such as "no seat is left on LH123".
    pub fn user(message: impl fmt::Display) -> Self {
        Self::of(Kind::User(message.to_string()))
    }

    /// A failure that only the log may read. `?` makes one of any other error.
    pub fn internal(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::of(Kind::Internal(error.into()))
    }

    /// What was asked for does not exist. In a resource it is the error that the specification has
    /// for it, with the URI; elsewhere it is a [`ToolError::user`].
    pub fn not_found(message: impl fmt::Display) -> Self {
        Self::of(Kind::NotFound(message.to_string()))
    }

    /// A JSON-RPC error instead of a tool result.
    ///
    /// The codes -32768..=-32000 belong to JSON-RPC and MCP; of these only -32602 (invalid params)
    /// and -32603 (internal error) may be used, every other one becomes -32603.
    pub fn protocol(code: i32, message: impl Into<String>) -> Self {
        let reserved = (-32768..=-32000).contains(&code) && code != -32602;
        let code = if reserved { INTERNAL_ERROR } else { code };
        Self::of(Kind::Protocol(RpcError::new(code, message)))
    }

    /// Adds the `data` member of a [`ToolError::protocol`] error; other errors have none.
    #[must_use]
    pub fn with_data(mut self, data: &impl serde::Serialize) -> Self {
        if let Kind::Protocol(error) = &mut self.kind {
            error.data = serde_json::value::to_raw_value(data).ok();
        }
        self
    }

    /// The commit failed before anything happened: the same round may be sent again.
    pub fn nothing_done(message: impl fmt::Display) -> Self {
        Self {
            certainty: Certainty::NothingDone,
            ..Self::user(message)
        }
    }

    /// The commit failed and nobody knows whether its effect happened.
    pub fn unknown(message: impl fmt::Display) -> Self {
        Self {
            certainty: Certainty::Unknown,
            ..Self::user(message)
        }
    }

    fn of(kind: Kind) -> Self {
        Self {
            kind,
            certainty: Certainty::Ended,
        }
    }
}

/// So that `?` takes any error; `ToolError` itself is therefore no `std::error::Error`.
impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::internal(error)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::User(message) => f.debug_tuple("User").field(message).finish(),
            Kind::NotFound(message) => f.debug_tuple("NotFound").field(message).finish(),
            Kind::Internal(error) => f.debug_tuple("Internal").field(error).finish(),
            Kind::Protocol(error) => f.debug_tuple("Protocol").field(error).finish(),
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::User(message) | Kind::NotFound(message) => f.write_str(message),
            Kind::Internal(error) => error.fmt(f),
            Kind::Protocol(error) => f.write_str(&error.message),
        }
    }
}

pub(crate) const PARSE_ERROR: i32 = -32700;
pub(crate) const INVALID_REQUEST: i32 = -32600;
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
pub(crate) const INVALID_PARAMS: i32 = -32602;
pub(crate) const INTERNAL_ERROR: i32 = -32603;
pub(crate) const HEADER_MISMATCH: i32 = -32020;
pub(crate) const MISSING_CAPABILITY: i32 = -32021;
pub(crate) const UNSUPPORTED_VERSION: i32 = -32022;

/// The `error` member of a JSON-RPC response.
#[derive(Debug, Clone, serde::Serialize)]
pub(crate) struct RpcError {
    pub(crate) code: i32,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<Box<serde_json::value::RawValue>>,
}

impl RpcError {
    pub(crate) fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// Adds `data`; it is always one of our own plain values.
    pub(crate) fn with(mut self, data: &impl serde::Serialize) -> Self {
        self.data = serde_json::value::to_raw_value(data).ok();
        self
    }
}
