//! `resources/read`: finding what is at a URI.
//!
//! Source: MCP 2026-07-28, server/resources, "Reading resources" and "Error handling".

use std::sync::Arc;

use mrtr_core::json::Value;

use crate::error::{INVALID_PARAMS, RpcError};
use crate::resource::uri_problem;
use crate::server::Inner;

use super::call::{Subject, start};
use super::{Accepted, Checked, Refusal};

pub(super) fn serve(server: &Arc<Inner>, request: Checked<'_>) -> Result<Accepted, Refusal> {
    let uri = request.params.uri.and_then(Value::as_str);
    let uri = uri.ok_or_else(|| Refusal::invalid_params("`uri` must be the URI of a resource"))?;
    request.params.check(server.shared.limits.depth)?;
    if uri_problem(&uri).is_some() {
        return Err(Refusal::invalid_params("`uri` must be an absolute URI"));
    }
    let found = server.resources.find(&uri);
    let (handler, variables) = found.ok_or_else(|| not_found(&uri))?;
    let subject = Subject {
        arguments: variables.map(String::into_boxed_str),
        uri: Some((*uri).into()),
    };
    start(server, handler, request, subject)
}

/// The error for a resource that is not there: the URI stands in its data.
fn not_found(uri: &str) -> Refusal {
    let error = RpcError::new(INVALID_PARAMS, "resource not found");
    Refusal::new(400, error.with(&serde_json::json!({ "uri": uri })))
}
