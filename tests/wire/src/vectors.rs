//! The judge against the committed messages, good ones and bad ones.

use serde::Deserialize;
use serde_json::Value;

use crate::Judge;

#[derive(Deserialize)]
struct Vector {
    why: String,
    sent: Value,
    received: Value,
    /// A part of the fault that must be found; `None` for a message without fault.
    fault: Option<String>,
}

#[test]
fn every_message_is_judged_as_it_deserves() {
    let lines = include_str!("../vectors/messages.jsonl").lines();
    let mut wrong = Vec::new();
    for line in lines {
        let vector: Vector = serde_json::from_str(line).expect("a vector");
        let mut judge = Judge::new();
        judge.sent(&vector.sent.to_string());
        let faults = judge.received(&vector.received.to_string());
        let right = match &vector.fault {
            None => faults.is_empty(),
            Some(part) => faults.iter().any(|fault| fault.contains(part.as_str())),
        };
        if !right {
            wrong.push(format!("{}: {faults:?}", vector.why));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_member_that_stands_twice_is_a_fault() {
    let mut judge = Judge::new();
    let faults = judge.received(r#"{"jsonrpc":"2.0","id":1,"id":1,"result":{}}"#);
    assert!(faults[0].contains("stands twice"), "{faults:?}");
}

#[test]
fn a_second_response_to_one_request_is_a_fault() {
    let mut judge = Judge::new();
    judge.sent(r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{}}"#);
    let reply = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#;
    assert!(judge.received(reply).is_empty());
    assert!(!judge.received(reply).is_empty());
}

#[test]
fn structured_content_is_held_against_the_listed_schema() {
    let mut judge = Judge::new();
    judge.sent(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#);
    let list = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[{"name":"n","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["a"]}}]}}"#;
    assert_eq!(judge.received(list), Vec::<String>::new());
    for (structured, fits) in [(r#"{"a":1}"#, true), ("{}", false)] {
        judge.sent(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"n"}}"#);
        let result = format!(
            r#"{{"jsonrpc":"2.0","id":2,"result":{{"resultType":"complete","content":[],"structuredContent":{structured}}}}}"#
        );
        assert_eq!(judge.received(&result).is_empty(), fits, "{structured}");
    }
}
