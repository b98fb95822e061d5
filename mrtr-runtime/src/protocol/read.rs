//! `resources/read`: finding what is at a URI.
//!
//! Source: MCP 2026-07-28, server/resources, "Reading resources" and "Error handling".

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::error::{INVALID_PARAMS, RpcError};
use crate::resource::uri_problem;
use crate::server::Inner;

use super::call::{Subject, read_params, start};
use super::message::text;
use super::{Accepted, Checked, Refusal};

pub(super) fn serve(server: &Arc<Inner>, request: Checked<'_>) -> Result<Accepted, Refusal> {
    let uri = request.params.uri.and_then(text);
    let uri = uri.ok_or_else(|| Refusal::invalid_params("`uri` must be the URI of a resource"))?;
    let params = read_params(server, &request)?;
    if uri_problem(&uri).is_some() {
        return Err(Refusal::invalid_params("`uri` must be an absolute URI"));
    }
    let found = server.resources.find(&uri);
    let (handler, variables) = found.ok_or_else(|| not_found(&uri))?;
    let subject = Subject {
        arguments: variables.and_then(|json| RawValue::from_string(json).ok()),
        uri: Some((*uri).into()),
    };
    start(server, handler, request, &params, subject)
}

/// The error for a resource that is not there: the URI stands in its data.
fn not_found(uri: &str) -> Refusal {
    let error = RpcError::new(INVALID_PARAMS, "resource not found");
    Refusal::new(400, error.with(&serde_json::json!({ "uri": uri })))
}
