//! Writing the JSON that goes out: by hand into one buffer, with serde for the leaves.
//!
//! No `serde_json::Map` takes part, so the bytes do not depend on features of the user's tree.

use mrtr_core::round::OpenQuestion;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::content::{ContentBlock, ToolResult};
use crate::error::RpcError;
use crate::handler::Output;
use crate::prompt::PromptResult;
use crate::protocol::SUBSCRIPTION;
use crate::resource::{CacheScope, Caching, Read};

/// The key under which a result names the server, and the colon after it.
const SERVER_INFO: &[u8] = br#""io.modelcontextprotocol/serverInfo":"#;

/// The `result` member of a handler's final result.
///
/// `scope` says who may share what was read, where the resource does not.
pub(crate) fn complete(out: &mut Vec<u8>, output: &Output, scope: CacheScope, info: Option<&str>) {
    match output {
        Output::Tool(result) => tool_result(out, result, info),
        Output::Prompt(result) => prompt_result(out, result, info),
        Output::Read(read) => read_result(out, read, scope, info),
        Output::Completions(values) => {
            out.extend_from_slice(br#""result":{"resultType":"complete","completion":"#);
            leaf(out, values);
            meta(out, info, &[]);
            out.push(b'}');
        }
    }
}

/// The `result` member of a tool's final result.
pub(crate) fn tool_result(out: &mut Vec<u8>, result: &ToolResult, info: Option<&str>) {
    out.extend_from_slice(br#""result":{"resultType":"complete","content":"#);
    blocks(out, &result.content);
    if let Some(structured) = &result.structured_content {
        member(out, "structuredContent", structured.get());
    }
    if result.is_error {
        member(out, "isError", "true");
    }
    meta(out, info, &result.meta);
    out.push(b'}');
}

fn blocks(out: &mut Vec<u8>, blocks: &[ContentBlock]) {
    out.push(b'[');
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        match block.plain_text() {
            // Nearly every block; for a tag serde looks at each member twice.
            Some(text) => {
                out.extend_from_slice(br#"{"type":"text","text":"#);
                leaf(out, text);
                out.push(b'}');
            }
            None => leaf(out, block),
        }
    }
    out.push(b']');
}

fn prompt_result(out: &mut Vec<u8>, result: &PromptResult, info: Option<&str>) {
    out.extend_from_slice(br#""result":{"resultType":"complete","#);
    if let Some(description) = &result.description {
        out.extend_from_slice(br#""description":"#);
        leaf(out, description);
        out.push(b',');
    }
    out.extend_from_slice(br#""messages":"#);
    leaf(out, &result.messages);
    meta(out, info, &result.meta);
    out.push(b'}');
}

fn read_result(out: &mut Vec<u8>, read: &Read, scope: CacheScope, info: Option<&str>) {
    out.extend_from_slice(br#""result":{"resultType":"complete","contents":"#);
    leaf(out, &read.contents);
    let scope = read.caching.scope.or(Some(scope));
    caching(
        out,
        Caching {
            scope,
            ..read.caching
        },
    );
    meta(out, info, &[]);
    out.push(b'}');
}

/// How long a client may keep a result, and who may share it: members of an object that has one.
pub(crate) fn caching(out: &mut Vec<u8>, caching: Caching) {
    let ms = u64::try_from(caching.ttl.as_millis()).unwrap_or(u64::MAX);
    // Numbers beyond this are not the same to every reader of JSON.
    let ms = ms.min((1 << 53) - 1).to_string();
    member(out, "ttlMs", &ms);
    out.extend_from_slice(br#","cacheScope":"#);
    // Sharing is what somebody has to say; keeping for oneself is always right.
    leaf(out, &caching.scope.unwrap_or(CacheScope::Private));
}

/// The room that an interim result takes; a long name of a server may need more.
pub(crate) fn room_to_ask(questions: &[OpenQuestion], state: &str) -> usize {
    let questions = questions.iter();
    let room: usize = questions.map(|question| question.request.len() + 72).sum();
    room + state.len() + 256
}

/// The `result` member of the interim result that asks; without questions, the state goes alone.
pub(crate) fn asked(
    out: &mut Vec<u8>,
    questions: &[OpenQuestion],
    state: &str,
    info: Option<&str>,
) {
    out.extend_from_slice(br#""result":{"resultType":"input_required""#);
    if !questions.is_empty() {
        out.extend_from_slice(br#","inputRequests":{"#);
        for (index, question) in questions.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            leaf(out, question.key.as_str());
            out.push(b':');
            out.extend_from_slice(question.request.as_bytes());
        }
        out.push(b'}');
    }
    // A state is base64url: nothing in it needs an escape.
    out.extend_from_slice(br#","requestState":""#);
    out.extend_from_slice(state.as_bytes());
    out.push(b'"');
    meta(out, info, &[]);
    out.push(b'}');
}

/// The `result` member that ends a subscription.
pub(crate) fn unsubscribed(out: &mut Vec<u8>, id: &str, info: Option<&str>) {
    out.extend_from_slice(br#""result":{"resultType":"complete""#);
    let id = RawValue::from_string(id.to_owned()).expect("invariant: an id is JSON");
    meta(out, info, &[(SUBSCRIPTION.to_owned(), id)]);
    out.push(b'}');
}

/// The `error` member.
pub(crate) fn error(out: &mut Vec<u8>, error: &RpcError) {
    out.extend_from_slice(br#""error":"#);
    leaf(out, error);
}

/// Adds `_meta` to an object that has a member already.
pub(crate) fn meta(out: &mut Vec<u8>, info: Option<&str>, more: &[(String, Box<RawValue>)]) {
    if info.is_none() && more.is_empty() {
        return;
    }
    out.extend_from_slice(br#","_meta":{"#);
    let mut first = true;
    if let Some(info) = info {
        first = false;
        out.extend_from_slice(SERVER_INFO);
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
pub(crate) fn member(out: &mut Vec<u8>, name: &str, value: &str) {
    out.push(b',');
    leaf(out, name);
    out.push(b':');
    out.extend_from_slice(value.as_bytes());
}

/// Writes a value as serde has it.
pub(crate) fn leaf(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(out, value).expect("invariant: our own wire types serialise");
}

#[cfg(test)]
mod tests {
    use mrtr_core::key::AskKey;

    use super::*;
    use crate::content::ContentAnnotations;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
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
            written(|out| tool_result(out, &result, Some(r#"{"name":"s"}"#))),
            concat!(
                r#""result":{"resultType":"complete","#,
                "\"content\":[{\"type\":\"text\",\"text\":\"a\\n\u{2028}é\"}],",
                r#""structuredContent":[1,2],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"},"#,
                r#""org.example/a":2}}"#
            )
        );
        assert_eq!(
            written(|out| tool_result(out, &ToolResult::error("no"), None)),
            r#""result":{"resultType":"complete","content":[{"type":"text","text":"no"}],"isError":true}"#
        );
    }

    #[test]
    fn blocks_are_written_as_serde_has_them() {
        let texts = ["", "a \"quoted\" text\n\u{1}\u{7f}é😀"];
        let plain = texts.map(ContentBlock::text);
        let annotated = plain[1].clone().annotated(ContentAnnotations::default());
        let image = ContentBlock::image([1, 2], "image/png");
        for content in [&[][..], &plain, &[plain[0].clone(), annotated, image]] {
            let whole = serde_json::to_string(content).unwrap();
            assert_eq!(written(|out| blocks(out, content)), whole);
        }
    }

    #[test]
    fn questions_go_out_in_their_order_and_a_state_may_go_alone() {
        let question = |key: &str| OpenQuestion {
            key: AskKey::new(key.to_owned()).unwrap(),
            request: r#"{"method":"elicitation/create"}"#.into(),
        };
        assert_eq!(
            written(|out| asked(out, &[question("b"), question("a")], "AAA", None)),
            concat!(
                r#""result":{"resultType":"input_required","inputRequests":{"#,
                r#""b":{"method":"elicitation/create"},"a":{"method":"elicitation/create"}},"#,
                r#""requestState":"AAA"}"#
            )
        );
        assert_eq!(
            written(|out| asked(out, &[], "AAA", None)),
            r#""result":{"resultType":"input_required","requestState":"AAA"}"#
        );
    }
}
