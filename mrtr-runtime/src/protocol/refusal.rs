//! A request that is refused: the JSON-RPC error, and what HTTP makes of it.

use serde::Serialize;

use crate::error::{
    HEADER_MISMATCH, INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, RpcError,
    UNSUPPORTED_VERSION,
};

use super::VERSIONS;

/// A header that goes with an HTTP response.
pub(crate) type Header = (&'static str, String);

/// Why a request is not carried out.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) error: RpcError,
    /// The HTTP status; other transports have none.
    pub(crate) status: u16,
    pub(crate) headers: Vec<Header>,
}

impl Refusal {
    /// An error that was found before anything ran.
    pub(crate) fn new(status: u16, error: RpcError) -> Self {
        Self {
            error,
            status,
            headers: Vec::new(),
        }
    }

    pub(super) fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(400, RpcError::new(INVALID_PARAMS, message))
    }

    /// The `_meta` does not say what it must. The versions are named because somebody who speaks
    /// only the older revisions can show nothing else.
    pub(super) fn meta(message: impl Into<String>) -> Self {
        let data = Supported {
            supported: VERSIONS,
            requested: None,
        };
        Self::new(400, RpcError::new(INVALID_PARAMS, message).with(&data))
    }

    pub(super) fn header(message: impl Into<String>) -> Self {
        Self::new(400, RpcError::new(HEADER_MISMATCH, message))
    }

    pub(super) fn version(requested: &str) -> Self {
        let data = Supported {
            supported: VERSIONS,
            requested: Some(requested),
        };
        let error = RpcError::new(UNSUPPORTED_VERSION, "unsupported protocol version");
        Self::new(400, error.with(&data))
    }

    pub(super) fn unknown_method(method: &str) -> Self {
        let name = mrtr_core::text::log_name(method);
        Self::new(
            404,
            RpcError::new(METHOD_NOT_FOUND, format!("unknown method: {name}")),
        )
    }

    pub(super) fn internal() -> Self {
        Self::new(500, RpcError::new(INTERNAL_ERROR, "internal error"))
    }

    /// Every handler that may run at once is running.
    pub(crate) fn busy() -> Self {
        let error = RpcError::new(
            INTERNAL_ERROR,
            "the server is busy; send the request again later",
        );
        Self {
            headers: vec![("retry-after", "1".into())],
            ..Self::new(503, error)
        }
    }

    /// The caller has to sign in; the challenge says where.
    pub(crate) fn unauthorized(challenge: String) -> Self {
        let error = RpcError::new(INVALID_REQUEST, "the request is not authenticated");
        Self {
            headers: vec![("www-authenticate", challenge)],
            ..Self::new(401, error)
        }
    }
}

#[derive(Serialize)]
struct Supported<'a> {
    supported: &'a [&'a str],
    #[serde(skip_serializing_if = "Option::is_none")]
    requested: Option<&'a str>,
}
