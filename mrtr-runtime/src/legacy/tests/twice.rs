//! Requests that come more than once, answers that come too late or from somebody else, and
//! clients that leave in the middle of an effect: there is one effect, or none.

use serde_json::json;

use super::http::{Client, router_of};
use super::*;

#[tokio::test]
async fn the_same_post_twice_at_once_has_one_effect_and_the_second_is_refused() {
    let traces = traces();
    let router = router_of(legacy_server(&traces));
    let client = Client::open(&router, "alice", "2025-11-25").await;
    let book = call(7, "book", json!({"wait_in": 100}));
    let mut first = client.post(&book).await;
    let second = client.post(&book).await;
    assert_eq!(second.status, 400);
    let refused = second.only().await;
    assert_eq!(refused["error"]["code"], -32600);
    assert_eq!(
        refused["error"]["message"],
        "a request with this id is still running"
    );
    assert_eq!(text(&first.next().await.unwrap()), "booked");
    assert!(first.next().await.is_none());
    // Once it has been answered it may be sent again, and is answered from the record.
    drop(first);
    assert_eq!(text(&client.ask(&book).await), "booked");
    assert_eq!(Traces::read(&traces.effects), 1);
}

#[tokio::test]
async fn a_request_sent_again_after_its_connection_was_lost_is_agreed_to_once() {
    let traces = traces();
    let router = router_of(legacy_server(&traces));
    let client = Client::open(&router, "alice", "2025-11-25").await;
    let mut lost = client.post(&how(7, "book")).await;
    let one = lost.next().await.unwrap();
    drop(lost);
    let mut again = client.post(&how(7, "book")).await;
    let other = again.next().await.unwrap();
    assert_eq!(asked(&other), "Book it?");
    for question in [&one, &other] {
        client.post(&reply(question, yes())).await;
    }
    assert_eq!(text(&again.next().await.unwrap()), "booked 1");
    until(|| runs(&traces) == (2, 1)).await;
}

#[tokio::test]
async fn a_batch_over_http_with_the_call_twice_has_one_effect() {
    let traces = traces();
    let router = router_of(legacy_server(&traces));
    let client = Client::open(&router, "alice", "2025-03-26").await;
    let book = call(1, "book", json!({}));
    let mut stream = client.post(&json!([book, book])).await;
    assert_eq!(text(&stream.next().await.unwrap()), "booked");
    assert!(stream.next().await.is_none());
    assert_eq!(Traces::read(&traces.effects), 1);
}

#[tokio::test]
async fn an_answer_after_the_limit_counts_for_nothing() {
    let traces = traces();
    let server = legacy_server(&traces).ask_timeout(Duration::from_millis(50));
    let client = Client::open(&router_of(server), "alice", "2025-11-25").await;
    let mut stream = client.post(&how(1, "book")).await;
    let question = stream.next().await.unwrap();
    let end = stream.next().await.unwrap();
    assert_eq!(
        text(&end),
        "`ok` got no answer: nobody answered within 50 ms"
    );
    assert_eq!(client.post(&reply(&question, yes())).await.status, 202);
    let ping = json!({"jsonrpc": "2.0", "id": 9, "method": "ping"});
    assert_eq!(client.ask(&ping).await["result"], json!({}));
    assert_eq!(runs(&traces), (1, 0));
}

#[tokio::test]
async fn a_client_that_leaves_in_the_middle_of_an_effect_does_not_stop_it() {
    let traces = traces();
    let client = Client::open(&router_of(legacy_server(&traces)), "alice", "2025-11-25").await;
    let stream = client.post(&call(1, "book", json!({"wait_in": 100}))).await;
    until(|| Traces::read(&traces.runs) == 1).await;
    drop(stream);
    until(|| Traces::read(&traces.effects) == 1).await;
    assert_eq!(Traces::read(&traces.dropped), 0);
}
