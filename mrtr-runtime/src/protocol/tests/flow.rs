//! A flow along its rounds: questions, answers, states.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::{desk, desk_with, retry, yes};
use crate::fixture::{
    Seen, TestWorld, Traces, all, call, key, meta, principal, request, send, server,
};
use crate::observe::EventKind;
use crate::protocol::{Request, Response};
use crate::server::Server;

#[tokio::test]
async fn a_question_is_asked_answered_and_the_call_finishes() {
    let desk = desk();
    let asked = send(
        &desk.endpoint,
        &call("close_ticket", json!({"ticket": 4711})),
    )
    .await;
    let result = &asked["result"];
    assert_eq!(result["resultType"], "input_required");
    assert_eq!(
        result["inputRequests"]["confirm"]["method"],
        "elicitation/create"
    );
    assert_eq!(
        result["inputRequests"]["confirm"]["params"]["message"],
        "Close ticket 4711?"
    );
    assert!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "test");
    assert!(result.get("ttlMs").is_none() && result.get("content").is_none());
    let state = result["requestState"].as_str().unwrap();
    let cases = [
        (yes(), "closed"),
        (
            json!({"action": "decline", "content": {"ok": true}}),
            "left open",
        ),
        (json!({"action": "cancel", "content": null}), "left open"),
    ];
    for (answer, expected) in cases {
        let done = send(&desk.endpoint, &retry(state, answer)).await;
        assert_eq!(done["result"]["content"][0]["text"], expected);
        assert_eq!(done["result"]["resultType"], "complete");
    }
}

/// A tool that commits has to wait for the flow store before its state can be opened.
#[tokio::test]
async fn a_refused_state_has_one_status_for_all_tools() {
    let desk = desk();
    for name in ["close_ticket", "book"] {
        let mut refused = call(name, json!({"ticket": 1}));
        refused["params"]["requestState"] = json!("abc");
        let request = Request::line(refused.to_string());
        let Response::Json(reply) = desk.endpoint.handle(request).await else {
            panic!("one answer")
        };
        assert_eq!(reply.status(), 400, "{name}");
        let body: Value = serde_json::from_slice(reply.body()).unwrap();
        assert_eq!(body["error"]["code"], -32602, "{body}");
    }
}

#[tokio::test]
async fn what_is_no_answer_is_asked_again() {
    let desk = desk();
    let state = desk.state().await;
    for answer in [
        json!({"action": "maybe"}),
        json!({"action": "accept"}),
        json!({"action": "accept", "content": {"ok": {"x": 1}}}),
        json!({"roots": []}),
        json!(12345),
        json!(null),
        json!({}),
    ] {
        let again = send(&desk.endpoint, &retry(&state, answer.clone())).await;
        assert_eq!(again["result"]["resultType"], "input_required", "{answer}");
    }
}

#[tokio::test]
async fn responses_are_null_or_a_bounded_object() {
    let desk = desk();
    let with = |responses: Value| {
        request(
            2,
            "tools/call",
            json!({
                "name": "close_ticket", "arguments": {"ticket": 4711}, "inputResponses": responses
            }),
        )
    };
    let many: Value = (0..65).map(|n| (format!("k{n}"), json!(1))).collect();
    for responses in [
        json!([]),
        json!("x"),
        json!(5),
        json!(true),
        json!([{"confirm": yes()}]),
        many,
    ] {
        assert_eq!(
            desk.code(&with(responses.clone())).await,
            -32602,
            "{responses}"
        );
    }
    for responses in [
        json!(null),
        json!({}),
        json!({"confirm": yes()}),
        json!({"x": 1, "y": {}}),
    ] {
        // An answer to a question that nobody asked does not count.
        let asked = send(&desk.endpoint, &with(responses.clone())).await;
        assert_eq!(
            asked["result"]["resultType"], "input_required",
            "{responses}"
        );
    }
}

#[tokio::test]
async fn every_state_that_does_not_open_gets_the_one_answer() {
    let seen = Seen::default();
    let log = Arc::clone(&seen);
    let desk = desk_with(|server| {
        server.observe(move |event| {
            if let EventKind::Refused { reason } = event.kind {
                assert_eq!(
                    (event.handler, event.flow.is_none()),
                    ("close_ticket", true)
                );
                log.lock().unwrap().push(reason.into());
            }
        })
    });
    let state = desk.state().await;
    let flipped: String = state
        .char_indices()
        .map(|(i, c)| {
            if i == 60 {
                if c == 'A' { 'B' } else { 'A' }
            } else {
                c
            }
        })
        .collect();
    let mut other_arguments = retry(&state, yes());
    other_arguments["params"]["arguments"]["ticket"] = json!(1);
    let messages = [
        retry("hello", yes()),
        retry(&format!("{state}-TAMPERED"), yes()),
        retry(&flipped, yes()),
        retry(&state[..state.len() - 1], yes()),
        retry(&"A".repeat(1024 * 512), yes()),
        retry("", yes()),
        other_arguments,
    ];
    for message in messages {
        let answer = send(&desk.endpoint, &message).await;
        assert_eq!(
            answer["error"],
            json!({"code": -32602, "message": "the requestState is not valid; start the call again"})
        );
    }
    for wrong in [json!(5), json!({}), json!([]), json!(true)] {
        let mut message = retry("x", yes());
        message["params"]["requestState"] = wrong;
        assert_eq!(desk.code(&message).await, -32602);
    }
    assert_eq!(
        *seen.lock().unwrap(),
        [
            "not_base64",
            "seal",
            "seal",
            "not_base64",
            "too_long",
            "other_call"
        ]
        .map(String::from)
    );
    assert_eq!(Traces::read(&desk.traces.runs), 1, "no handler was entered");
}

#[tokio::test]
async fn a_state_belongs_to_its_caller_its_realm_and_its_keys() {
    let (world, traces) = (TestWorld::new(), Traces::default());
    let build =
        |change: fn(Server) -> Server| change(server(&world, &traces)).build_lines().unwrap();
    let mint = build(|server| server.stdio_principal(principal("alice")));
    let asked = send(&mint, &call("close_ticket", json!({"ticket": 4711}))).await;
    let state = asked["result"]["requestState"].as_str().unwrap().to_owned();
    let same = build(|server| server.stdio_principal(principal("alice")));
    assert_eq!(
        send(&same, &retry(&state, yes())).await["result"]["content"][0]["text"],
        "closed"
    );
    for other in [
        build(|server| server.stdio_principal(principal("bob"))),
        build(|server| server.stdio_principal(principal("alice").client("other"))),
        build(|server| server),
        build(|server| {
            server
                .stdio_principal(principal("alice"))
                .realm("elsewhere")
        }),
        build(|server| server.stdio_principal(principal("alice")).keys(key(9))),
        build(|server| server.stdio_principal(principal("alice")).signed()),
    ] {
        assert_eq!(
            send(&other, &retry(&state, yes())).await["error"]["code"],
            -32602
        );
    }
}

#[tokio::test]
async fn late_answers_are_asked_again_and_the_flow_ends_to_the_millisecond() {
    let desk = desk();
    let state = desk.state().await;
    desk.world.pass(599_999);
    let done = send(&desk.endpoint, &retry(&state, yes())).await;
    assert_eq!(done["result"]["content"][0]["text"], "closed");
    desk.world.pass(1);
    let again = send(&desk.endpoint, &retry(&state, yes())).await;
    assert_eq!(again["result"]["resultType"], "input_required");
    desk.world.pass(3_600_000 - 600_000 - 1);
    let again = send(&desk.endpoint, &retry(&state, yes())).await;
    assert_eq!(again["result"]["resultType"], "input_required");
    desk.world.pass(1);
    assert_eq!(desk.code(&retry(&state, yes())).await, -32602);
}

#[tokio::test]
async fn a_flow_has_so_many_rounds_and_no_more() {
    let desk = desk_with(|server| server.max_rounds(3));
    let mut state = desk.state().await;
    for _ in 0..1 {
        let again = send(&desk.endpoint, &retry(&state, json!({}))).await;
        state = again["result"]["requestState"].as_str().unwrap().to_owned();
    }
    let last = send(&desk.endpoint, &retry(&state, json!({}))).await;
    assert_eq!(last["result"]["isError"], true);
    let text = last["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("`confirm`") && text.contains('3'), "{text}");
}

#[tokio::test]
async fn numbers_are_bound_by_their_decimal_value() {
    let desk = desk();
    let frame = |ticket: &str, state: Option<&str>| {
        let mut message = call("close_ticket", json!({"ticket": 4711}));
        if let Some(state) = state {
            message["params"]["requestState"] = json!(state);
            message["params"]["inputResponses"] = json!({"confirm": yes()});
        }
        message.to_string().replace("4711", ticket)
    };
    let first = all(
        &desk.endpoint,
        Request::line(frame("1152921504606846976", None)),
    )
    .await;
    let state = first[0]["result"]["requestState"]
        .as_str()
        .unwrap()
        .to_owned();
    let other = all(
        &desk.endpoint,
        Request::line(frame("1152921504606846977", Some(&state))),
    )
    .await;
    assert_eq!(other[0]["error"]["code"], -32602);
    let same = all(
        &desk.endpoint,
        Request::line(frame("1152921504606846976", Some(&state))),
    )
    .await;
    assert_eq!(same[0]["result"]["content"][0]["text"], "closed");
}

#[tokio::test]
async fn nothing_is_kept_between_two_requests() {
    // Two endpoints with the same keys are one server; what one request declares, the next does not have.
    let (world, traces) = (TestWorld::new(), Traces::default());
    let build = || server(&world, &traces).build_lines().unwrap();
    let asked = send(&build(), &call("close_ticket", json!({"ticket": 4711}))).await;
    let state = asked["result"]["requestState"].as_str().unwrap().to_owned();
    let done = send(&build(), &retry(&state, yes())).await;
    assert_eq!(done["result"]["content"][0]["text"], "closed");
    assert_eq!(traces.runs.load(Ordering::SeqCst), 2);
    let endpoint = build();
    let mut undeclared = call("close_ticket", json!({"ticket": 1}));
    undeclared["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": meta()["io.modelcontextprotocol/protocolVersion"],
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    send(&endpoint, &call("close_ticket", json!({"ticket": 1}))).await;
    assert_eq!(send(&endpoint, &undeclared).await["error"]["code"], -32021);
}
