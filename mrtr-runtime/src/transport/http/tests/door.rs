//! What is refused by verb, media type, host, origin or size.

use axum::body::Body;
use http::Request;
use serde_json::json;

use super::{discover, post, post_with, router, router_with, send};
use crate::fixture::call;

#[tokio::test]
async fn only_post_of_json_to_the_endpoint_is_served() {
    let router = router();
    for method in ["GET", "DELETE", "PUT", "OPTIONS", "HEAD"] {
        let request = Request::builder()
            .method(method)
            .uri("/mcp")
            .header("host", "localhost");
        let got = send(&router, request.body(Body::empty()).unwrap()).await;
        assert_eq!(
            (got.status.as_u16(), &got.headers["allow"]),
            (405, &"POST".parse().unwrap()),
            "{method}"
        );
    }
    for content_type in [
        None,
        Some("text/plain"),
        Some("application/jsonp"),
        Some(""),
    ] {
        let got = send(
            &router,
            post_with(&discover(), &[("content-type", content_type)]),
        )
        .await;
        assert_eq!(got.status, 415, "{content_type:?}");
    }
    let elsewhere = Request::post("/other")
        .header("host", "localhost")
        .body(Body::empty())
        .unwrap();
    assert_eq!(send(&router, elsewhere).await.status, 404);
}

#[tokio::test]
async fn the_door_is_shut_before_anything_else() {
    let router = router();
    for changes in [
        [("origin", Some("http://evil.example"))],
        [("origin", Some("null"))],
        [("host", Some("evil.example"))],
        [("host", None)],
    ] {
        let got = send(&router, post_with(&discover(), &changes)).await;
        assert_eq!(got.status, 403, "{changes:?}");
        assert!(got.json().get("id").is_none());
        let mut get = post_with(&discover(), &changes);
        *get.method_mut() = http::Method::GET;
        assert_eq!(send(&router, get).await.status, 403, "{changes:?}");
    }
    for changes in [
        [("origin", Some("http://localhost:3000"))],
        [("host", Some("mcp.example.com"))],
    ] {
        assert_eq!(
            send(&router, post_with(&discover(), &changes)).await.status,
            200,
            "{changes:?}"
        );
    }
    let got = send(&router, post(&discover())).await;
    assert!(
        !got.headers
            .keys()
            .any(|name| name.as_str().starts_with("access-control-"))
    );
}

#[tokio::test]
async fn a_body_is_one_message_of_bounded_size() {
    let router = router_with(|server| server.max_body(4096));
    let raw = |body: &str| {
        let mut request = post(&discover());
        *request.body_mut() = Body::from(body.to_owned());
        request
    };
    let cases = [
        (r#"{"jsonrpc":"2.0","id":1,"#.to_owned(), 400, -32700),
        (String::new(), 400, -32700),
        (format!("[{}]", discover()), 400, -32600),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}"#.to_owned(),
            400,
            -32600,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"x","params":[1]}"#.to_owned(),
            400,
            -32600,
        ),
        (
            format!(r#"{{"jsonrpc":"2.0","id":1,"x":"{}"}}"#, "y".repeat(5000)),
            413,
            -32600,
        ),
    ];
    for (body, status, code) in cases {
        let got = send(&router, raw(&body)).await;
        assert_eq!(
            (got.status.as_u16(), got.code()),
            (status, code),
            "{}",
            got.text
        );
        assert!(got.json().get("id").is_none(), "{}", got.text);
    }
    let notification = raw(r#"{"jsonrpc":"2.0","method":"notifications/anything"}"#);
    let got = send(&router, notification).await;
    assert_eq!((got.status.as_u16(), got.text.as_str()), (202, ""));
}

#[tokio::test]
async fn the_errors_of_a_handler_have_the_status_of_an_answer() {
    let router = router();
    let got = send(&router, post(&call("chatty", json!({"end": "fail"})))).await;
    assert_eq!((got.status.as_u16(), got.code()), (200, -32602));
    let mut undeclared = call("close_ticket", json!({"ticket": 1}));
    undeclared["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    let got = send(&router, post(&undeclared)).await;
    assert_eq!((got.status.as_u16(), got.code()), (400, -32021));
    // Found out late, but before anything was sent.
    let mut late = call("chatty", json!({"end": "ask"}));
    late["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    let got = send(&router, post(&late)).await;
    assert_eq!((got.status.as_u16(), got.code()), (400, -32021));
    let mut state = call("now", json!({}));
    state["params"]["requestState"] = json!("hello");
    assert_eq!(send(&router, post(&state)).await.status, 400);
}
