//! The judge against the committed messages, good ones and bad ones.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::Judge;

#[derive(Deserialize)]
struct Vector {
    why: String,
    sent: Value,
    received: Value,
    /// A part of the fault that must be found; `None` for a message without fault.
    fault: Option<String>,
}

impl Vector {
    /// What this judge got wrong.
    fn wrong(&self, mut judge: Judge) -> Option<String> {
        judge.sent(&self.sent.to_string());
        let faults = judge.received(&self.received.to_string());
        let right = match &self.fault {
            None => faults.is_empty(),
            Some(part) => faults.iter().any(|fault| fault.contains(part.as_str())),
        };
        (!right).then(|| format!("{}: {faults:?}", self.why))
    }
}

#[test]
fn every_message_is_judged_as_it_deserves() {
    let lines = include_str!("../vectors/messages.jsonl").lines();
    let mut wrong = Vec::new();
    for line in lines {
        let vector: Vector = serde_json::from_str(line).expect("a vector");
        wrong.extend(vector.wrong(Judge::new()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[derive(Deserialize)]
struct SessionVector {
    /// The revision of the session it comes in; `None` where it opens one.
    session: Option<String>,
    /// What the client declared.
    declared: Value,
    #[serde(flatten)]
    vector: Vector,
}

/// A judge of an open session whose server offers log messages and changes of its tools.
fn in_session(revision: &str, declared: &Value) -> Judge {
    let mut judge = Judge::new();
    let opened = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {"protocolVersion": revision, "capabilities": declared}});
    judge.sent(&opened.to_string());
    let agreed = json!({"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": revision,
        "capabilities": {"tools": {"listChanged": true}, "logging": {}},
        "serverInfo": {"name": "s", "version": "1"}}});
    assert_eq!(judge.received(&agreed.to_string()), Vec::<String>::new());
    judge
}

#[test]
fn every_message_of_a_session_is_judged_as_its_revision_deserves() {
    let mut wrong = Vec::new();
    for line in include_str!("../vectors/sessions.jsonl").lines() {
        let SessionVector {
            session,
            declared,
            vector,
        } = serde_json::from_str(line).expect("a vector");
        let judge = match session {
            Some(revision) => in_session(&revision, &declared),
            None => Judge::new(),
        };
        wrong.extend(vector.wrong(judge));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_session_remembers_what_was_asked() {
    let mut judge = in_session("2025-11-25", &json!({"elicitation": {"url": {}}}));
    judge.sent(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n"}}"#);
    let link = |id: &str, link: &str| {
        json!({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params":
            {"mode": "url", "message": "Go.", "url": "https://a.example", "elicitationId": link}})
        .to_string()
    };
    assert_eq!(judge.received(&link("a", "e1")), Vec::<String>::new());
    assert_eq!(judge.unanswered(), [r#""a""#, "1"]);
    assert!(judge.received(&link("a", "e2"))[0].contains("used the id"));
    assert!(judge.received(&link("b", "e1"))[0].contains("comes twice"));
    let done = r#"{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}"#;
    assert_eq!(judge.received(done), Vec::<String>::new());
    judge.sent(r#"{"jsonrpc":"2.0","id":"a","result":{"action":"accept"}}"#);
    let cancel =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b"}}"#;
    assert_eq!(judge.received(cancel), Vec::<String>::new());
    assert_eq!(judge.unanswered(), ["1"]);
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
