//! The service of a server of its own answers what the router answers.

use axum::body::Body;
use http::{Method, Request};

use super::super::straight::straight;
use super::super::{Route, router};
use super::{Got, discover, post, post_with, send};
use crate::fixture::{TestWorld, Traces, server};

fn asked(method: &str, uri: &str, host: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(uri);
    request.header("host", host).body(Body::empty()).unwrap()
}

/// Requests for the endpoint and for everything beside it.
fn requests() -> Vec<Request<Body>> {
    let metadata = "/.well-known/oauth-protected-resource";
    let mut requests = vec![
        post(&discover()),
        post_with(&discover(), &[("host", Some("evil.example"))]),
        post_with(&discover(), &[("content-type", None)]),
    ];
    let methods = [Method::GET, Method::POST, Method::HEAD, Method::OPTIONS];
    for method in methods.iter().map(Method::as_str) {
        let uris = ["/", "/mcp", "/mcp?x=1", "/mcp/", "/MCP", "/%6dcp", metadata];
        requests.extend(uris.map(|uri| asked(method, uri, "localhost")));
    }
    requests.push(asked("GET", metadata, "evil.example"));
    requests
}

#[tokio::test]
async fn what_goes_straight_is_answered_as_the_router_answers_it() {
    let endpoint = server(&TestWorld::new(), &Traces::default())
        .allow_host("mcp.example.com")
        .protected_resource("https://mcp.example.com/mcp", ["https://issuer.example"])
        .build()
        .unwrap();
    let (router, straight) = (router(&endpoint), straight(Route::new(&endpoint)));
    let mut statuses = Vec::new();
    for (one, other) in requests().into_iter().zip(requests()) {
        let what = format!("{} {}", one.method(), one.uri());
        let (routed, direct) = (send(&router, one).await, send(&straight, other).await);
        let head = |got: &Got| (got.status, got.headers.get("allow").cloned());
        assert_eq!(head(&direct), head(&routed), "{what}");
        assert_eq!(
            direct.headers.get("content-type"),
            routed.headers.get("content-type")
        );
        if !what.starts_with("HEAD") {
            // The server drops the body of an answer to HEAD, whoever has made it.
            assert_eq!(direct.text, routed.text, "{what}");
        }
        statuses.push(direct.status.as_u16());
    }
    for status in [200, 403, 404, 405, 415] {
        assert!(statuses.contains(&status), "{status}: {statuses:?}");
    }
}
