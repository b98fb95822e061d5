//! Bytes that nobody should send: every answer is well-formed, and nothing panics.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::desk;
use crate::fixture::{call, request};
use crate::protocol::{Accepted, Head, Response, accept};

/// Takes the bytes as far as they go without running a handler.
fn check(desk: &super::Desk, bytes: &[u8]) {
    match accept(&desk.endpoint.0, &Head::Line, bytes, None) {
        Accepted::Answered(Response::Json(reply)) => {
            let answer: Value = serde_json::from_slice(reply.body()).unwrap();
            assert_eq!(answer["jsonrpc"], "2.0");
            assert!(answer.get("error").is_some() != answer.get("result").is_some());
            assert_ne!(answer.get("id"), Some(&Value::Null));
        }
        Accepted::Answered(_) | Accepted::Running(_) => {}
    }
}

fn frames() -> Vec<Vec<u8>> {
    let mut retry = call("close_ticket", json!({"ticket": 4711}));
    retry["params"]["requestState"] = json!("EUEsKVVeey9MSeQrkbPkDGAOohF20T4Zc");
    retry["params"]["inputResponses"] =
        json!({"confirm": {"action": "accept", "content": {"ok": true}}});
    let frames = [
        request("a", "server/discover", json!({})),
        request(1, "tools/list", json!({"cursor": "x"})),
        retry,
    ];
    frames
        .iter()
        .map(|frame| frame.to_string().into_bytes())
        .collect()
}

proptest! {
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&desk(), &bytes);
    }

    #[test]
    fn any_change_of_a_good_frame(
        frame in 0..3_usize,
        cut in any::<prop::sample::Index>(),
        length in 0..6_usize,
        insert in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'"'), Just(b'{'), Just(b'}'), Just(b'\\')], 0..6),
    ) {
        let mut bytes = frames()[frame].clone();
        let at = cut.index(bytes.len());
        let end = (at + length).min(bytes.len());
        bytes.splice(at..end, insert);
        check(&desk(), &bytes);
    }
}

#[test]
fn nesting_as_deep_as_a_message_may_be_long() {
    let desk = desk();
    let shared = Arc::clone(&desk.endpoint.0.shared);
    for open in ["[", r#"{"a":"#] {
        let deep = open.repeat(200_000);
        check(&desk, deep.as_bytes());
        for frame in frames() {
            let text = String::from_utf8(frame).unwrap();
            let close = if open == "[" { "]" } else { "}" };
            let value = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
            check(
                &desk,
                text.replace("\"params\":{", &format!("\"params\":{{\"x\":{value},"))
                    .as_bytes(),
            );
            check(
                &desk,
                text.replace("\"_meta\":{", &format!("\"_meta\":{{\"x\":{value},"))
                    .as_bytes(),
            );
            check(
                &desk,
                text.replace("\"id\":", &format!("\"x\":{value},\"id\":"))
                    .as_bytes(),
            );
        }
    }
    assert_eq!(
        Arc::strong_count(&shared),
        2,
        "nothing was started and kept"
    );
}
