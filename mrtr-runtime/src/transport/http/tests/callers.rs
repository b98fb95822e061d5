//! Who may call what, and how everybody else is told to sign in.

use std::sync::Arc;

use axum::body::Body;
use http::Request;
use mrtr_core::principal::Principal;
use serde_json::{Value, json};

use super::{discover, post, post_with, router_with, send};
use crate::fixture::{Traces, call, principal};
use crate::from_call::Parts;
use crate::server::Server;
use crate::transport::http::{AuthError, Authenticate};

/// Knows who a token is from a header, and panics or fails on request.
async fn resolve(parts: &Parts) -> Result<Option<Principal>, AuthError> {
    let Some(token) = parts.headers.get("authorization") else {
        return Ok(None);
    };
    match token.to_str()? {
        "Bearer alice" => Ok(Some(principal("alice"))),
        "Bearer bob" => Ok(Some(principal("bob"))),
        "Bearer weak" => Err(AuthError::insufficient_scope(["read", "write"])),
        "Bearer panic" => panic!("secret"),
        "Bearer broken" => Err("the database is away: secret".into()),
        _ => Err(AuthError::unauthorized()),
    }
}

fn protected(server: Server) -> Server {
    server
        .principal(resolve)
        .protected_resource("https://mcp.example.com/mcp", ["https://issuer.example"])
        .scopes(["read"])
}

#[tokio::test]
async fn a_caller_that_cannot_be_authenticated_is_never_anonymous() {
    let router = router_with(protected);
    let metadata =
        r#"resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp""#;
    for token in ["Bearer nobody", "Bearer panic", "Bearer broken"] {
        let got = send(
            &router,
            post_with(&discover(), &[("authorization", Some(token))]),
        )
        .await;
        assert_eq!(got.status, 401, "{token}");
        assert_eq!(
            got.headers["www-authenticate"],
            format!(r#"Bearer {metadata}, scope="read", error="invalid_token""#)
        );
        assert!(!got.text.contains("secret"));
    }
    let got = send(
        &router,
        post_with(&discover(), &[("authorization", Some("Bearer weak"))]),
    )
    .await;
    assert_eq!(got.status, 403);
    assert_eq!(
        got.headers["www-authenticate"],
        format!(r#"Bearer {metadata}, error="insufficient_scope", scope="read write""#)
    );
    assert_eq!(send(&router, post(&discover())).await.status, 200);
    let got = send(
        &router,
        post_with(&discover(), &[("authorization", Some("Bearer alice"))]),
    )
    .await;
    assert_eq!(got.json()["result"]["cacheScope"], "private");
}

#[tokio::test]
async fn a_caller_may_be_required_and_is_for_commits() {
    let required = router_with(|server| protected(server).require_principal());
    let got = send(&required, post(&discover())).await;
    assert_eq!(got.status, 401);
    assert!(
        got.headers["www-authenticate"]
            .to_str()
            .unwrap()
            .ends_with(r#"scope="read""#)
    );
    assert_eq!(
        send(
            &required,
            post_with(&discover(), &[("authorization", Some("Bearer bob"))])
        )
        .await
        .status,
        200
    );

    let traces = Traces::default();
    let commits = Server::new("test", "1")
        .tools([crate::fixture::book(&traces), crate::fixture::now()])
        .ephemeral_key()
        .allow_host("mcp.example.com");
    let router = protected(commits).router().unwrap();
    let book = call("book", json!({}));
    assert_eq!(send(&router, post(&book)).await.status, 401);
    assert_eq!(Traces::read(&traces.runs), 0);
    assert_eq!(
        send(&router, post(&call("now", json!({})))).await.status,
        200
    );
    let got = send(
        &router,
        post_with(&book, &[("authorization", Some("Bearer alice"))]),
    )
    .await;
    assert_eq!(got.json()["result"]["content"][0]["text"], "booked");
}

#[tokio::test]
async fn a_state_is_its_callers_alone() {
    let router = router_with(protected);
    let ticket = call("close_ticket", json!({"ticket": 1}));
    let as_caller =
        |body: &Value, token: Option<&str>| post_with(body, &[("authorization", token)]);
    let asked = send(&router, as_caller(&ticket, Some("Bearer alice")))
        .await
        .json();
    let mut answer = ticket.clone();
    answer["params"]["requestState"] = asked["result"]["requestState"].clone();
    answer["params"]["inputResponses"] =
        json!({"confirm": {"action": "accept", "content": {"ok": true}}});
    for thief in [Some("Bearer bob"), None] {
        assert_eq!(
            send(&router, as_caller(&answer, thief)).await.code(),
            -32602
        );
    }
    let done = send(&router, as_caller(&answer, Some("Bearer alice")))
        .await
        .json();
    assert_eq!(done["result"]["content"][0]["text"], "closed");
}

#[tokio::test]
async fn the_metadata_is_served_where_clients_look() {
    let router = router_with(protected);
    for path in ["", "/mcp"] {
        let get = Request::get(format!("/.well-known/oauth-protected-resource{path}"));
        let got = send(
            &router,
            get.header("host", "mcp.example.com")
                .body(Body::empty())
                .unwrap(),
        )
        .await;
        assert_eq!(
            got.json(),
            json!({
                "resource": "https://mcp.example.com/mcp",
                "authorization_servers": ["https://issuer.example"],
                "scopes_supported": ["read"],
                "bearer_methods_supported": ["header"],
            })
        );
    }
    let get = Request::get("/.well-known/oauth-protected-resource").header("host", "evil.example");
    assert_eq!(
        send(&router, get.body(Body::empty()).unwrap()).await.status,
        403
    );
}

struct Tokens(Vec<String>);

impl Authenticate for Tokens {
    async fn authenticate(&self, parts: &Parts) -> Result<Option<Principal>, AuthError> {
        let token = parts
            .headers
            .get("authorization")
            .ok_or_else(AuthError::unauthorized)?
            .to_str()?;
        let known = self.0.iter().any(|known| known == token);
        if known {
            Ok(Some(principal(token)))
        } else {
            Err(AuthError::unauthorized())
        }
    }
}

#[tokio::test]
async fn resolvers_are_functions_closures_and_types() {
    let known = Arc::new("Bearer x".to_owned());
    let routers = [
        router_with(|server| {
            server.principal(
                async |parts: &Parts| -> Result<Option<Principal>, AuthError> {
                    let token = parts
                        .headers
                        .get("authorization")
                        .ok_or_else(AuthError::unauthorized)?;
                    Ok((token == "Bearer x").then(|| principal("x")))
                },
            )
        }),
        router_with(|server| {
            server.principal(move |parts: &Parts| {
                let known = Arc::clone(&known);
                let token = parts.headers.get("authorization").cloned();
                async move {
                    let token = token.ok_or_else(AuthError::unauthorized)?;
                    Ok((token == *known.as_str()).then(|| principal("x")))
                }
            })
        }),
        router_with(|server| server.principal(Tokens(vec!["Bearer x".into()]))),
    ];
    for router in routers {
        assert_eq!(send(&router, post(&discover())).await.status, 401);
        let got = send(
            &router,
            post_with(&discover(), &[("authorization", Some("Bearer x"))]),
        )
        .await;
        assert_eq!(got.status, 200);
    }
}
