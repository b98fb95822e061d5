//! Event streams, and clients that leave.

use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{post, router, router_with, send};
use crate::fixture::{TestWorld, Traces, call, request, server};

#[tokio::test]
async fn notifications_make_the_answer_an_event_stream() {
    let router = router();
    for (end, member) in [
        ("", "result"),
        ("ask", "result"),
        ("fail", "error"),
        ("panic", "error"),
    ] {
        let mut body = call("chatty", json!({ "end": end }));
        body["params"]["_meta"]["progressToken"] = json!("p");
        let got = send(&router, post(&body)).await;
        assert_eq!(got.status, 200);
        assert_eq!(got.headers["content-type"], "text/event-stream");
        assert_eq!(got.headers["x-accel-buffering"], "no");
        let events: Vec<Value> = (got.text.split_terminator("\n\n"))
            .map(|event| event.strip_prefix("event: message\ndata: ").unwrap())
            .map(|data| serde_json::from_str(data).unwrap())
            .collect();
        assert_eq!(events[0]["method"], "notifications/progress");
        assert!(events[1].get(member).is_some(), "{}", got.text);
        assert_eq!(events.len(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_stream_is_kept_open() {
    let router = router_with(|server| server.time_limit(std::time::Duration::from_secs(40)));
    let mut body = call("chatty", json!({"end": "never"}));
    body["params"]["_meta"]["progressToken"] = json!("p");
    let got = send(&router, post(&body)).await;
    assert_eq!(got.text.matches("\n\n: ").count(), 2, "{}", got.text);
    assert!(got.text.ends_with("\n\n") && got.text.contains("took too long"));
}

#[tokio::test]
async fn a_closed_stream_cancels_the_handler() {
    let traces = Traces::default();
    let server = server(&TestWorld::new(), &traces).allow_host("mcp.example.com");
    let router = server.router().unwrap();
    let mut body = call("chatty", json!({"end": "never"}));
    body["params"]["_meta"]["progressToken"] = json!("p");
    let mut stream = router.oneshot(post(&body)).await.unwrap().into_body();
    stream.frame().await.unwrap().unwrap();
    assert_eq!(Traces::read(&traces.dropped), 0);
    drop(stream);
    assert_eq!(Traces::read(&traces.dropped), 1);
}

#[tokio::test]
async fn a_client_that_hangs_up_before_the_answer_cancels_the_handler() {
    use tokio::io::AsyncWriteExt;
    let traces = Traces::default();
    let server = server(&TestWorld::new(), &traces).allow_host("mcp.example.com");
    let router = server.router().unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(axum::serve(listener, router).into_future());
    let body = call("chatty", json!({"end": "never"})).to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: chatty\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let wait = async |counter: &std::sync::atomic::AtomicUsize| {
        let until = async {
            while Traces::read(counter) == 0 {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(4), until)
            .await
            .unwrap();
    };
    wait(&traces.started).await;
    drop(stream);
    wait(&traces.dropped).await;
}

#[tokio::test]
async fn too_many_calls_are_told_when_to_come_back() {
    let router = router_with(|server| server.max_concurrent(1));
    let mut body = call("chatty", json!({"end": "never"}));
    body["params"]["_meta"]["progressToken"] = json!("p");
    let running = router.clone().oneshot(post(&body)).await.unwrap();
    let got = send(&router, post(&call("now", json!({})))).await;
    assert_eq!(
        (got.status.as_u16(), &got.headers["retry-after"]),
        (503, &"1".parse().unwrap())
    );
    drop(running);
    assert_eq!(
        send(&router, post(&call("now", json!({})))).await.status,
        200
    );
}

#[tokio::test]
async fn a_listener_has_a_stream_of_its_own_until_it_hangs_up() {
    let traces = Traces::default();
    let server = server(&TestWorld::new(), &traces).allow_host("mcp.example.com");
    let changes = server.changes();
    let router = server.router().unwrap();
    let body = request(
        7,
        "subscriptions/listen",
        json!({"notifications": {"toolsListChanged": true}}),
    );
    let open = async || {
        let response = router.clone().oneshot(post(&body)).await.unwrap();
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        response.into_body()
    };
    let (mut stays, mut leaves) = (open().await, open().await);
    for stream in [&mut stays, &mut leaves] {
        let first = event(stream).await;
        let method = &first["method"];
        assert_eq!(method, "notifications/subscriptions/acknowledged");
    }
    assert_eq!(changes.listeners(), 2);
    drop(leaves);
    assert_eq!(changes.listeners(), 1);
    changes.tools();
    let told = event(&mut stays).await;
    assert_eq!(told["method"], "notifications/tools/list_changed");
    assert_eq!(
        told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        7
    );
    drop(stays);
    assert_eq!(changes.listeners(), 0);
}

/// The next event of a stream that stays open.
async fn event(stream: &mut axum::body::Body) -> Value {
    let frame = tokio::time::timeout(std::time::Duration::from_secs(20), stream.frame());
    let frame = frame.await.expect("in time").expect("the stream goes on");
    let bytes = frame.unwrap().into_data().unwrap();
    let text = std::str::from_utf8(&bytes).unwrap();
    let data = text.lines().find_map(|line| line.strip_prefix("data: "));
    serde_json::from_str(data.unwrap_or_else(|| panic!("no data in {text}"))).unwrap()
}
