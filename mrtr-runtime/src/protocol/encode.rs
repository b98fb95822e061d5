//! Writing JSON-RPC responses: the envelope around what goes out.

use bytes::Bytes;

use crate::error::RpcError;
use crate::run::Ended;
use crate::shared::Shared;
use crate::wire;

/// An error response; without `id` when the request's could not be read.
pub(super) fn error(id: Option<&str>, error: &RpcError) -> Bytes {
    let mut out = open(id, 96 + error.message.len());
    out.push(b',');
    wire::error(&mut out, error);
    out.push(b'}');
    out.into()
}

/// A result that was written before the request came.
pub(super) fn prepared(id: &str, result: &str) -> Bytes {
    let mut out = open(Some(id), result.len());
    result_member(&mut out);
    out.extend_from_slice(result.as_bytes());
    out.push(b'}');
    out.into()
}

/// What a handler came to, behind what there is already.
pub(super) fn ended(out: &mut Vec<u8>, id: &str, shared: &Shared, ended: &Ended) {
    let room = match ended {
        Ended::Asked { questions, state } => wire::room_to_ask(questions, state),
        _ => 256,
    };
    begin(out, Some(id), room);
    out.push(b',');
    shared.write(out, ended);
    out.push(b'}');
}

fn open(id: Option<&str>, room: usize) -> Vec<u8> {
    let mut out = Vec::new();
    begin(&mut out, id, room);
    out
}

fn begin(out: &mut Vec<u8>, id: Option<&str>, room: usize) {
    out.reserve(48 + id.map_or(0, str::len) + room);
    out.extend_from_slice(br#"{"jsonrpc":"2.0""#);
    if let Some(id) = id {
        out.extend_from_slice(br#","id":"#);
        out.extend_from_slice(id.as_bytes());
    }
}

fn result_member(out: &mut Vec<u8>) {
    out.extend_from_slice(br#","result":"#);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &Bytes) -> &str {
        std::str::from_utf8(bytes).unwrap()
    }

    #[test]
    fn an_error_without_a_readable_id_has_none() {
        let refused = RpcError::new(-32700, "no \"JSON\"");
        assert_eq!(
            text(&error(None, &refused)),
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"no \"JSON\""}}"#
        );
        assert_eq!(
            text(&error(Some("7"), &refused)),
            r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32700,"message":"no \"JSON\""}}"#
        );
    }
}
