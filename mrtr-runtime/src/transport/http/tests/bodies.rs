//! Bodies that come late, and what a request takes while it waits.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use futures_util::stream;
use http::Request;
use tokio::time::Instant;

use super::super::{Route, receive};
use super::{discover, post, router, send};
use crate::fixture::{TestWorld, Traces, server};

/// A request whose body comes in these parts, a second apart; the last one may never come.
fn in_parts(parts: &[Option<&str>]) -> Request<Body> {
    let parts: Vec<_> = parts.iter().map(|part| part.map(str::to_owned)).collect();
    let parts = stream::unfold(parts.into_iter(), async |mut parts| {
        tokio::time::sleep(Duration::from_secs(1)).await;
        match parts.next()? {
            Some(part) => Some((Ok::<_, Infallible>(Bytes::from(part)), parts)),
            None => std::future::pending().await,
        }
    });
    post(&discover()).map(|_| Body::from_stream(parts))
}

#[tokio::test(start_paused = true)]
async fn a_body_may_come_in_parts_and_must_end_in_time() {
    let text = discover().to_string();
    let (one, two) = text.split_at(20);
    let got = send(&router(), in_parts(&[Some(one), Some(two)])).await;
    assert_eq!((got.status.as_u16(), &got.json()["id"]), (200, &1.into()));
    let start = Instant::now();
    let got = send(&router(), in_parts(&[Some(one), None])).await;
    assert_eq!((got.status.as_u16(), got.code()), (408, -32700));
    assert_eq!(start.elapsed().as_secs(), 30);
}

/// It is allocated and moved for each request, whatever becomes of it.
#[test]
fn the_future_of_a_request_is_small() {
    let server = server(&TestWorld::new(), &Traces::default());
    let route = Route::new(&server.build_lines().unwrap());
    let answering = receive(State(route), post(&discover()));
    let size = size_of_val(&answering);
    assert!(size <= 1024, "{size}");
    drop(answering);
}
