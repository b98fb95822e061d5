//! What must be the same whatever features of serde_json somebody's program turns on.
//!
//! `preserve_order` and `arbitrary_precision` are global: any crate of a program can turn them on
//! for all of it. So these tests are a package of their own, which is also run with all of them on.

#[cfg(test)]
mod numbers;
#[cfg(test)]
mod same_bytes;

use mrtr::{Endpoint, Request, Response};

/// The `_meta` of a client that can be asked forms.
pub const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}"#;

/// Sends a message and returns the one that comes back.
///
/// # Panics
/// When none comes, or several.
pub async fn exchange(endpoint: &Endpoint, message: &str) -> String {
    match endpoint.handle(Request::line(message.to_owned())).await {
        Response::Json(reply) => {
            String::from_utf8(reply.body().to_vec()).expect("messages are UTF-8")
        }
        other => panic!("{other:?}"),
    }
}
