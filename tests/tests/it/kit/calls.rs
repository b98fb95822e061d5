//! What a call gives to look at.

use expect_test::expect;
use mrtr::testing::{Client, Recorder, json};

use super::desk::{Booking, server};
use super::failing;

#[tokio::test]
async fn a_call_is_played_to_its_end() {
    let desk = Recorder::new();
    let booked = Client::new(server(&desk))
        .call("book", json!({ "flight": "LH1" }))
        .answer("who", json!({ "email": "ada@example.com", "name": "Ada" }))
        .yes("ok")
        .await;
    assert_eq!(
        booked.json::<Booking>(),
        Booking {
            number: "LH1-1".into()
        }
    );
    assert_eq!(booked.text(), r#"{"number":"LH1-1"}"#);
    assert!(!booked.is_error() && !booked.is_open());
    assert_eq!(booked.error_code(), None);
    assert_eq!(booked.asked(), [["who"], ["ok"]]);
    assert_eq!(
        booked.messages(),
        [
            "Who is travelling?",
            "Book LH1 for Ada, ticket to ada@example.com?"
        ]
    );
    assert!(
        booked
            .question("who")
            .schema()
            .contains(r#""format":"email""#)
    );
    assert_eq!(booked.effects(), ["LH1 for Ada"]);
    assert_eq!(desk.count(), 1);
    // The answer of the first round is carried, so the second state is the longer one.
    assert!(
        (150..300).contains(&booked.state_chars()),
        "{}",
        booked.state_chars()
    );
    let progress = booked.notifications();
    assert_eq!(
        progress.len(),
        2,
        "once in each run that came so far: {progress:?}"
    );
    assert_eq!(progress[0]["params"]["progress"], 1.0);
    assert_eq!(
        booked.observed(),
        [
            "1 who asked",
            "2 who accepted",
            "2 ok asked",
            "3 who accepted",
            "3 ok accepted",
            "3 committed",
            "3 ended with a result"
        ]
    );
}

#[tokio::test]
async fn a_no_is_a_result_without_effect() {
    let desk = Recorder::new();
    let client = Client::new(server(&desk));
    let who = json!({ "email": "ada@example.com", "name": "Ada" });
    let call = || {
        client
            .call("book", json!({ "flight": "LH1" }))
            .answer("who", who.clone())
    };
    for (call, end) in [
        (call().no("ok"), "not booked"),
        (call().decline("ok"), "not booked"),
        (call().cancel("ok"), "not booked"),
        (
            client
                .call("book", json!({ "flight": "LH1" }))
                .decline("who"),
            "`who` was declined",
        ),
    ] {
        let refused = call.await;
        assert!(refused.is_error());
        assert_eq!(refused.text(), end);
        refused.assert_no_effect();
    }
    assert_eq!(desk.count(), 0);
}

#[tokio::test]
async fn questions_of_one_round_are_answered_in_one() {
    let desk = Recorder::new();
    let booked = Client::new(server(&desk))
        .call("room", json!({}))
        .yes("ok")
        .answer("nights", 3)
        .decline("breakfast")
        .await;
    assert_eq!(booked.asked(), [vec!["nights", "breakfast"], vec!["ok"]]);
    booked.assert_asked(&[&["nights", "breakfast"], &["ok"]]);
    assert_eq!(booked.effects(), ["3 nights, None"]);
}

#[tokio::test]
async fn two_calls_at_once_do_not_see_each_others_events() {
    let desk = Recorder::new();
    let client = Client::new(server(&desk));
    let ends = futures_util::future::join_all((1..=8_u8).map(|nights| {
        // What is written down by one call is no effect of the other, so nobody counts here.
        let call = client.counting(|| 0).call("room", json!({}));
        call.answer("nights", nights)
            .answer("breakfast", true)
            .yes("ok")
            .into_future()
    }));
    for (nights, end) in (1..).zip(ends.await) {
        assert_eq!(end.text(), format!("{nights} nights"));
        let texts: Vec<_> = end.observed().iter().map(ToString::to_string).collect();
        assert_eq!(
            texts
                .iter()
                .filter(|text| text.ends_with("committed"))
                .count(),
            1,
            "{texts:?}"
        );
        let flow = end.observed()[0].flow;
        assert!(flow.is_some() && end.observed().iter().all(|event| event.flow == flow));
    }
}

#[tokio::test]
async fn what_is_not_there_says_so() {
    let client = Client::new(server(&Recorder::new()));
    let whoami = client.call("whoami", json!({})).await;
    let text = failing(|| whoami.json::<Booking>());
    expect![[r#"
        the result is text only; `.text()` gives it
        the tool `whoami`
          end: a result: [{"type":"text","text":"nobody"}]
    "#]]
    .assert_eq(&text);
    let unknown = client.call("fly", json!({})).await;
    assert_eq!(unknown.error_code(), Some(-32602));
    assert_eq!(unknown.text(), "unknown tool: fly");
    let text = failing(|| client.describe("fly"));
    expect![[r#"
        the server has no tool `fly`; it has `book`, `room`, `whoami`
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_tool_is_described_for_a_snapshot() {
    let described = Client::new(server(&Recorder::new())).describe("room");
    expect![[r#"
        tool room
          Books a room.
        has a commit

        arguments
          {
            "additionalProperties": false,
            "type": "object"
          }

        asks
          nights: on every path
          {
            "type": "object",
            "properties": {
              "value": {
                "type": "integer",
                "minimum": 0,
                "maximum": 255
              }
            },
            "required": [
              "value"
            ]
          }
          breakfast: on every path
          {
            "type": "object",
            "properties": {
              "value": {
                "type": "boolean"
              }
            },
            "required": [
              "value"
            ]
          }
          ok: on every path
          {
            "type": "object",
            "properties": {
              "ok": {
                "type": "boolean"
              }
            },
            "required": [
              "ok"
            ]
          }

        gate
          form: for nights, breakfast, ok
    "#]]
    .assert_eq(&described);
}
