//! Writing JSON-RPC responses: by hand into one buffer, with serde for the leaves.
//!
//! No `serde_json::Map` takes part, so the bytes do not depend on features of the user's tree.

use bytes::Bytes;
use mrtr_core::round::OpenQuestion;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::content::ToolResult;
use crate::error::RpcError;

/// The key under which a result names the server.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// An error response; without `id` when the request's could not be read.
pub(super) fn error(id: Option<&str>, error: &RpcError) -> Bytes {
    let mut out = open(id, 96 + error.message.len());
    out.extend_from_slice(br#","error":"#);
    leaf(&mut out, error);
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

/// The final result of a tool.
pub(super) fn complete(id: &str, result: &ToolResult, info: Option<&str>) -> Bytes {
    let mut out = open(Some(id), 256);
    result_member(&mut out);
    out.extend_from_slice(br#"{"resultType":"complete","content":"#);
    leaf(&mut out, &result.content);
    if let Some(structured) = &result.structured_content {
        member(&mut out, "structuredContent", structured.get());
    }
    if result.is_error {
        member(&mut out, "isError", "true");
    }
    meta(&mut out, info, &result.meta);
    out.extend_from_slice(b"}}");
    out.into()
}

/// The interim result that asks.
pub(super) fn asked(
    id: &str,
    questions: &[OpenQuestion],
    state: &str,
    info: Option<&str>,
) -> Bytes {
    let room: usize = questions
        .iter()
        .map(|question| question.request.len() + 72)
        .sum();
    let mut out = open(Some(id), room + state.len() + 256);
    result_member(&mut out);
    out.extend_from_slice(br#"{"resultType":"input_required","inputRequests":{"#);
    for (index, question) in questions.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        leaf(&mut out, question.key.as_str());
        out.push(b':');
        out.extend_from_slice(question.request.as_bytes());
    }
    out.push(b'}');
    // A state is base64url: nothing in it needs an escape.
    out.extend_from_slice(br#","requestState":""#);
    out.extend_from_slice(state.as_bytes());
    out.push(b'"');
    meta(&mut out, info, &[]);
    out.extend_from_slice(b"}}");
    out.into()
}

/// Adds `_meta` to an object that has a member already.
pub(super) fn meta(out: &mut Vec<u8>, info: Option<&str>, more: &[(String, Box<RawValue>)]) {
    if info.is_none() && more.is_empty() {
        return;
    }
    out.extend_from_slice(br#","_meta":{"#);
    let mut first = true;
    if let Some(info) = info {
        first = false;
        leaf(out, SERVER_INFO);
        out.push(b':');
        out.extend_from_slice(info.as_bytes());
    }
    for (index, (key, value)) in more.iter().enumerate() {
        // The last value of a key counts; a key that stands twice is no JSON anybody can rely on.
        if more[index + 1..].iter().any(|(later, _)| later == key) {
            continue;
        }
        if !std::mem::take(&mut first) {
            out.push(b',');
        }
        leaf(out, key);
        out.push(b':');
        out.extend_from_slice(value.get().as_bytes());
    }
    out.push(b'}');
}

/// Adds a member whose value is JSON text already.
pub(super) fn member(out: &mut Vec<u8>, name: &str, value: &str) {
    out.push(b',');
    leaf(out, name);
    out.push(b':');
    out.extend_from_slice(value.as_bytes());
}

/// Writes a value as serde has it.
pub(super) fn leaf(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(out, value).expect("invariant: our own wire types serialise");
}

fn open(id: Option<&str>, room: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(48 + id.map_or(0, str::len) + room);
    out.extend_from_slice(br#"{"jsonrpc":"2.0""#);
    if let Some(id) = id {
        member(&mut out, "id", id);
    }
    out
}

fn result_member(out: &mut Vec<u8>) {
    out.extend_from_slice(br#","result":"#);
}

#[cfg(test)]
mod tests {
    use mrtr_core::key::AskKey;

    use super::*;
    use crate::content::ContentBlock;

    fn text(bytes: &Bytes) -> &str {
        std::str::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_result_has_its_members_in_one_order() {
        let result = ToolResult::new()
            .with(ContentBlock::text("a\n\u{2028}é"))
            .structured(&[1, 2])
            .unwrap()
            .meta("org.example/a", &1)
            .unwrap()
            .meta("org.example/a", &2)
            .unwrap();
        assert_eq!(
            text(&complete("7", &result, Some(r#"{"name":"s"}"#))),
            concat!(
                r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","#,
                "\"content\":[{\"type\":\"text\",\"text\":\"a\\n\u{2028}é\"}],",
                r#""structuredContent":[1,2],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"},"#,
                r#""org.example/a":2}}}"#
            )
        );
        assert_eq!(
            text(&complete(r#""x""#, &ToolResult::error("no"), None)),
            r#"{"jsonrpc":"2.0","id":"x","result":{"resultType":"complete","content":[{"type":"text","text":"no"}],"isError":true}}"#
        );
    }

    #[test]
    fn questions_go_out_in_their_order() {
        let question = |key: &str| OpenQuestion {
            key: AskKey::new(key.to_owned()).unwrap(),
            request: r#"{"method":"elicitation/create"}"#.into(),
        };
        assert_eq!(
            text(&asked("1", &[question("b"), question("a")], "AAA", None)),
            concat!(
                r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"#,
                r#""b":{"method":"elicitation/create"},"a":{"method":"elicitation/create"}},"#,
                r#""requestState":"AAA"}}"#
            )
        );
    }

    #[test]
    fn an_error_without_a_readable_id_has_none() {
        let refused = RpcError::new(-32700, "no \"JSON\"");
        assert_eq!(
            text(&error(None, &refused)),
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"no \"JSON\""}}"#
        );
    }
}
