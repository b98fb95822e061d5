//! `server/discover`: what this server is and speaks.
//!
//! Source: MCP 2026-07-28, server/discover.

use std::sync::Arc;

use crate::resource::Caching;
use crate::server::Inner;

use crate::wire;

use super::response::{Reply, Response};
use super::{Accepted, Checked, Refusal, VERSIONS, encode};

pub(super) fn serve(server: &Arc<Inner>, request: Checked<'_>) -> Result<Accepted, Refusal> {
    let body = encode::prepared(request.id.as_json(), &server.discovered);
    Ok(Accepted::Answered(Response::Json(Reply::ok(body))))
}

/// Writes the result once, when the server is built. `info` always stands in it.
pub(crate) fn discovered(
    instructions: Option<&str>,
    capabilities: &str,
    caching: Caching,
    info: &str,
) -> Box<str> {
    let mut out = br#"{"resultType":"complete","supportedVersions":"#.to_vec();
    wire::leaf(&mut out, VERSIONS);
    wire::member(&mut out, "capabilities", capabilities);
    if let Some(instructions) = instructions {
        out.extend_from_slice(br#","instructions":"#);
        wire::leaf(&mut out, instructions);
    }
    wire::caching(&mut out, caching);
    wire::meta(&mut out, Some(info), &[]);
    out.push(b'}');
    String::from_utf8(out)
        .expect("invariant: JSON is UTF-8")
        .into()
}
