//! A request of a session is a flow of its own: what holds for it when it is sent again.

use serde_json::json;

use super::line::Client;
use super::{asked, how, legacy_server, reply, runs, text, traces, yes};

#[tokio::test]
async fn a_no_is_final_for_the_request_it_was_said_to() {
    let traces = traces();
    let mut client = Client::open(legacy_server(&traces), "2025-11-25").await;
    for no in [
        json!({"action": "accept", "content": {"ok": false}}),
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
    ] {
        let id = no.to_string();
        let question = client.ask(&how(id.as_str(), "book")).await;
        assert_eq!(text(&client.ask(&reply(&question, no)).await), "not booked");
        // Sent again: the recorded no, and nobody is asked a second time.
        let again = client.ask(&how(id.as_str(), "book")).await;
        assert_eq!(text(&again), "not booked");
    }
    assert_eq!(runs(&traces).1, 0);
    // A new request is a new flow, with a consent of its own.
    let question = client.ask(&how(7, "book")).await;
    assert_eq!(asked(&question), "Book it?");
    assert_eq!(
        text(&client.ask(&reply(&question, yes())).await),
        "booked 1"
    );
}

/// Nobody can say how far a commit came that panicked, and the session that saw it goes on.
#[tokio::test]
async fn the_outcome_of_a_commit_that_panicked_stays_unknown() {
    let traces = traces();
    let mut client = Client::open(legacy_server(&traces), "2025-11-25").await;
    let question = client.ask(&how(1, "panic")).await;
    let unknown = client.ask(&reply(&question, yes())).await;
    let said = text(&unknown);
    assert!(
        said.starts_with("The outcome of this call is not known"),
        "{said}"
    );
    // Sent again: it is told the same, and neither asked nor carried out again.
    assert_eq!(text(&client.ask(&how(1, "panic")).await), said);
    assert_eq!(runs(&traces).1, 1);
}

/// Two members of one name are two answers: whoever reads the other one would see another.
#[tokio::test]
async fn an_answer_that_can_be_read_in_two_ways_is_none() {
    for (result, why) in [
        (
            r#"{"action":"decline","action":"accept","content":{"ok":true}}"#,
            "twice",
        ),
        (
            r#"{"action":"accept","content":{"ok":false,"ok":true}}"#,
            "twice",
        ),
        (
            r#"{"action":"accept","content":{"ok":true,"n":1e400}}"#,
            "a number no reader keeps",
        ),
        (r#""accept""#, "no object"),
    ] {
        let traces = traces();
        let mut client = Client::open(legacy_server(&traces), "2025-11-25").await;
        let question = client.ask(&how(1, "book")).await;
        let id = &question["id"];
        client
            .send_text(&format!(
                r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#
            ))
            .await;
        let again = client.receive().await;
        let said = asked(&again);
        assert!(
            said.contains("the answer could not be read"),
            "{why}: {said}"
        );
        assert_eq!(text(&client.ask(&reply(&again, yes())).await), "booked 1");
    }
}

#[tokio::test]
async fn arguments_that_can_be_read_in_two_ways_are_refused() {
    let traces = traces();
    let mut client = Client::open(legacy_server(&traces), "2025-11-25").await;
    let twice = how(1, "book")
        .to_string()
        .replace(r#""how":"book""#, r#""how":"book","how":"number""#);
    client.send_text(&twice).await;
    let refused = client.receive().await;
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!(1), &json!(-32602))
    );
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("`/params/arguments/how` occurs twice"),
        "{message}"
    );
}
