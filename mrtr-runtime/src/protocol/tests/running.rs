//! A handler while it runs: notifications, limits, and what it does wrong.

use std::collections::HashSet;
use std::sync::Arc;

use mrtr_core::reply::Confirm;
use serde_json::{Value, json};

use super::{desk, desk_with, retry, yes};
use crate::__private::ToolDef;
use crate::call::Call;
use crate::content::ToolResult;
use crate::ctx::Ctx;
use crate::fixture::{Traces, all, call, request, send};
use crate::observe::{Ending, EventKind};
use crate::protocol::{Accepted, Head, Request, Response, accept};

#[tokio::test]
async fn notifications_come_first_and_only_where_they_were_asked_for() {
    let desk = desk();
    let with = |end: &str, more: Value| {
        let mut message = call("chatty", json!({ "end": end }));
        for (name, value) in more.as_object().unwrap() {
            message["params"]["_meta"][name] = value.clone();
        }
        message
    };
    let quiet = send(&desk.endpoint, &with("", json!({}))).await;
    assert_eq!(quiet["result"]["content"][0]["text"], "done");

    let level = "io.modelcontextprotocol/logLevel";
    let loud = json!({"progressToken": 42, level: "info"});
    let messages = all(
        &desk.endpoint,
        Request::line(with("", loud.clone()).to_string()),
    )
    .await;
    assert_eq!(messages.len(), 3);
    assert_eq!(
        messages[0],
        json!({"jsonrpc": "2.0", "method": "notifications/progress",
            "params": {"progressToken": 42, "progress": 1.0, "total": 2.0, "message": "half\nway"}})
    );
    assert_eq!(messages[1]["method"], "notifications/message");
    assert_eq!(
        messages[1]["params"],
        json!({"level": "warning", "logger": "chatty", "data": {"n": 1}})
    );
    assert_eq!(messages[2]["result"]["content"][0]["text"], "done");

    for (end, member) in [("ask", "result"), ("fail", "error"), ("panic", "error")] {
        let messages = all(
            &desk.endpoint,
            Request::line(with(end, loud.clone()).to_string()),
        )
        .await;
        assert!(
            messages.last().unwrap().get(member).is_some(),
            "{end}: {messages:?}"
        );
        assert!(!messages.last().unwrap().to_string().contains("secret"));
    }
}

#[tokio::test]
async fn leaving_drops_the_handler() {
    let desk = desk();
    let mut message = call("chatty", json!({"end": "never"}));
    message["params"]["_meta"]["progressToken"] = json!("t");
    let Response::Events(mut events) = desk
        .endpoint
        .handle(Request::line(message.to_string()))
        .await
    else {
        panic!("events")
    };
    events.next().await.unwrap();
    assert_eq!(Traces::read(&desk.traces.dropped), 0);
    drop(events);
    assert_eq!(Traces::read(&desk.traces.dropped), 1);
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_takes_too_long_is_stopped() {
    let endings = Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = Arc::clone(&endings);
    let desk = desk_with(|server| {
        server.observe(move |event| {
            if let EventKind::Ended(ending) = event.kind {
                log.lock().unwrap().push(ending);
            }
        })
    });
    for message in [
        call("chatty", json!({"end": "never"})),
        call("book", json!({"wait_before": true})),
    ] {
        let stopped = send(&desk.endpoint, &message).await;
        assert_eq!(stopped["result"]["isError"], true, "{stopped}");
    }
    assert!(
        desk.endpoint.drain(std::time::Duration::from_secs(1)).await,
        "nothing runs on"
    );
    assert_eq!(Traces::read(&desk.traces.dropped), 2);
    assert!(!endings.lock().unwrap().contains(&Ending::Result));
}

#[tokio::test(start_paused = true)]
async fn a_commit_goes_on_when_its_caller_leaves() {
    let desk = desk();
    let message = call("book", json!({"wait_in": 1000})).to_string();
    let left = tokio::time::timeout(
        std::time::Duration::from_millis(100),
        desk.endpoint.handle(Request::line(message)),
    );
    assert!(left.await.is_err());
    assert_eq!(
        (
            Traces::read(&desk.traces.runs),
            Traces::read(&desk.traces.effects)
        ),
        (1, 0)
    );
    assert!(desk.endpoint.drain(std::time::Duration::from_secs(5)).await);
    assert_eq!(
        (
            Traces::read(&desk.traces.effects),
            Traces::read(&desk.traces.dropped)
        ),
        (1, 0)
    );
}

#[tokio::test]
async fn more_handlers_than_may_run_are_told_to_come_later() {
    let desk = desk_with(|server| server.max_concurrent(1));
    let mut message = call("chatty", json!({"end": "never"}));
    message["params"]["_meta"]["progressToken"] = json!("t");
    let running = desk
        .endpoint
        .handle(Request::line(message.to_string()))
        .await;
    let busy = send(&desk.endpoint, &call("now", json!({}))).await;
    assert_eq!(busy["error"]["code"], -32603);
    // Nothing else is held up.
    assert!(
        send(&desk.endpoint, &request(1, "tools/list", json!({})))
            .await
            .get("result")
            .is_some()
    );
    drop(running);
    assert!(
        send(&desk.endpoint, &call("now", json!({})))
            .await
            .get("result")
            .is_some()
    );
}

#[tokio::test]
async fn an_observer_that_panics_takes_nothing_down() {
    let desk = desk_with(|server| server.observe(|_| panic!("observer")));
    let state = desk.state().await;
    assert_eq!(desk.code(&retry("hello", yes())).await, -32602);
    assert_eq!(
        send(&desk.endpoint, &retry(&state, yes())).await["result"]["content"][0]["text"],
        "closed"
    );
}

#[tokio::test]
async fn a_destructor_that_panics_is_an_internal_error() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("secret");
        }
    }
    let bomb = ToolDef::new("bomb").handler(|ctx: Ctx, _: Call| async move {
        let _bomb = Bomb;
        let ok: Confirm = ctx.ask("ok", "Sure?").await;
        Ok(ToolResult::text(ok.yes().to_string()))
    });
    let desk = desk_with(|server| server.tool(bomb));
    let answer = send(&desk.endpoint, &call("bomb", json!({}))).await;
    assert_eq!(
        answer["error"],
        json!({"code": -32603, "message": "internal error"})
    );
}

#[tokio::test]
async fn an_integer_is_one_however_it_is_written() {
    let desk = desk();
    let message = call("close_ticket", json!({"ticket": 30})).to_string();
    let with =
        |spelling: &str| message.replace(r#""ticket":30"#, &format!(r#""ticket":{spelling}"#));
    for spelling in ["30", "30.0", "3e1", "300E-1"] {
        let answers = all(&desk.endpoint, Request::line(with(spelling))).await;
        let asked = &answers[0]["result"]["inputRequests"]["confirm"]["params"]["message"];
        assert_eq!(asked, "Close ticket 30?", "{spelling}");
    }
    let answers = all(&desk.endpoint, Request::line(with("30.5"))).await;
    let text = answers[0]["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("invalid arguments: "), "{text}");
}

/// It is allocated and moved for each request. Allocators are fast for what has at most a kilobyte.
#[test]
fn the_work_of_a_handler_without_a_commit_is_small() {
    let desk = desk();
    let body = call("now", json!({})).to_string();
    let accepted = accept(&desk.endpoint.0, &Head::Line, body.as_bytes(), None);
    let Accepted::Running(conversation) = accepted else {
        panic!("a handler has to run");
    };
    let size = size_of_val(&*conversation.work);
    assert!(size <= 1024, "{size}");
}

/// Asking the operating system costs as much as sealing a state.
#[tokio::test]
async fn random_bytes_are_drawn_once_a_request_and_never_used_twice() {
    let desk = desk();
    let first = call("close_ticket", json!({"ticket": 4711}));
    let mut states = HashSet::new();
    let mut state = String::new();
    // A root and a nonce; a nonce; nothing; and another flow.
    for (drawn, answer) in [
        (40, None),
        (24, Some(json!(7))),
        (0, Some(yes())),
        (40, None),
    ] {
        let message = answer.map_or_else(|| first.clone(), |answer| retry(&state, answer));
        let before = desk.world.drawn();
        let answer = send(&desk.endpoint, &message).await;
        assert_eq!(desk.world.drawn() - before, drawn, "{answer}");
        if let Some(next) = answer["result"]["requestState"].as_str() {
            state = next.to_owned();
            assert!(states.insert(state.clone()), "{state}");
        }
    }
    assert_eq!(states.len(), 3);
}
