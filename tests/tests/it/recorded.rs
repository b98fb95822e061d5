//! To whom a recorded end is given: the same answers in any bytes, whatever the client declares, and
//! nobody else, whatever becomes of the records.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use mrtr::flow::{
    Claim, ClaimId, Claimed, End, Ended, EndedFlow, Epoch, Finish, Finished, FlowKey, FlowLabel,
    FlowStore, Found, Look, Looked, Marked, MemoryStore, Met, Released, Renew, Renewed, Reply,
    Resolution, Resolved,
};
use mrtr::prelude::*;
use mrtr::{Principal, Server};
use mrtr_tests::{Peer, accept, capabilities, decline, frame};
use serde_json::{Value, json};

/// Who stays, and how long.
#[derive(Deserialize, JsonSchema, Form)]
struct Guest {
    name: String,
    nights: u8,
}

/// How many rooms were booked.
#[derive(Clone, Default)]
struct Booked(Arc<AtomicU32>);

/// Books a room.
#[tool]
async fn book(State(booked): State<Booked>) -> Result<String, ToolError> {
    #[ask(message = "Who stays?")]
    let guest: Guest;
    #[ask(message = "Book {guest.nights} nights for {guest.name}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not booked"));
    }
    #[commit]
    let room = booked.0.fetch_add(1, Ordering::SeqCst);
    Ok(format!("room {room} for {}", guest.name))
}

fn desk(booked: &Booked) -> Server {
    Server::new("hotel", "1").state(booked.clone()).tool(book)
}

fn ada() -> Value {
    json!({ "guest": accept(json!({ "name": "Ada", "nights": 2 })) })
}

fn yes() -> Value {
    json!({ "ok": accept(json!({ "ok": true })) })
}

const ENDED: &str = "already ended with other answers";

#[tokio::test]
async fn the_same_answers_in_other_bytes_get_the_recorded_end() {
    let booked = Booked::default();
    let peer = Peer::of(desk(&booked));
    let one = peer.call("book", json!({})).await;
    let two = one.answer(ada()).await;
    let plain = r#"{"name":"Ada","nights":2}"#;
    let request = frame(90, "tools/call", one.next(ada())).to_string();
    assert!(request.contains(plain), "{request}");
    let request = request.replace(plain, r#"{ "nights" : 2.0, "name" : "\u0041da" }"#);
    let answers = peer.exchange(&request).await;
    let again: Value = serde_json::from_str(&answers[0]).expect("JSON");
    let other_state = again["result"]["requestState"].as_str().expect("a state");
    assert_ne!(other_state, two.state());

    let first = two.answer(yes()).await;
    assert_eq!(first.text(), "room 0 for Ada");
    let mut params = two.next(yes());
    params["requestState"] = json!(other_state);
    let repeat = peer.send(params.clone()).await;
    assert_eq!(repeat.result(), first.result());

    for variant in [
        json!({ "action": "accept", "content": { "ok": true }, "_meta": { "seen": 1 } }),
        json!({ "action": "accept", "content": { "ok": true, "more": 1 } }),
        json!({ "action": "decline", "content": { "ok": true } }),
        json!({ "action": "cancel", "content": { "ok": true } }),
        json!({ "action": "accept", "content": { "ok": false } }),
        json!({ "action": "accept" }),
    ] {
        params["inputResponses"] = json!({ "ok": variant });
        let told = peer.send(params.clone()).await;
        assert!(
            told.result() == first.result() || told.failure().contains(ENDED),
            "{variant}: {}",
            told.raw
        );
    }
    assert_eq!(booked.0.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_client_that_declares_nothing_any_more_still_gets_the_recorded_end() {
    let booked = Booked::default();
    let peer = Peer::of(desk(&booked));
    let one = peer.call("book", json!({})).await;
    let two = one.answer(ada()).await;
    let first = two.answer(yes()).await;
    let mut params = two.next(yes());
    params["_meta"] = capabilities(&json!({}));
    assert_eq!(peer.send(params).await.result(), first.result());
    assert_eq!(booked.0.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_final_round_of_somebody_else_gets_nothing() {
    let booked = Booked::default();
    let anybody = Peer::of(desk(&booked));
    let who = |name: &str| Principal::new("https://id.example", name).expect("a principal");
    let alice = anybody.as_principal(who("alice"));
    let one = alice.call("book", json!({})).await;
    let two = one.answer(ada()).await;
    let first = two.answer(yes()).await;
    assert_eq!(first.text(), "room 0 for Ada");
    for thief in [anybody.as_principal(who("bob")), anybody.clone()] {
        let told = two.answer_as(&thief, yes()).await;
        assert_eq!(told.code(), -32602, "{}", told.raw);
        assert!(!told.raw.contains("Ada"));
    }
    let no = two.answer(json!({ "ok": decline() })).await;
    assert!(no.failure().contains(ENDED) && !no.raw.contains("room"));
}

/// A store whose records somebody with access to it has tampered with.
struct Tampered {
    inner: MemoryStore,
    /// What every recorded body reads as.
    body: Mutex<Option<Vec<u8>>>,
    /// The body that was recorded last.
    last: Mutex<Vec<u8>>,
}

impl Tampered {
    fn change(&self, looked: Looked) -> Looked {
        let body = self.body.lock().expect("a test failed").clone();
        match (looked, body) {
            (Looked::Met(Met::Ended(Ended::Recorded(_))), Some(body)) => {
                Looked::Met(Met::Ended(Ended::Recorded(body.into())))
            }
            (looked, _) => looked,
        }
    }
}

impl FlowStore for Tampered {
    fn epoch(&self) -> Reply<'_, Epoch> {
        self.inner.epoch()
    }

    fn look(&self, flow: FlowKey, look: Look) -> Reply<'_, Looked> {
        Box::pin(async move { Ok(self.change(self.inner.look(flow, look).await?)) })
    }

    fn claim(&self, flow: FlowKey, claim: Claim) -> Reply<'_, Claimed> {
        self.inner.claim(flow, claim)
    }

    fn renew(&self, flow: FlowKey, renew: Renew) -> Reply<'_, Renewed> {
        self.inner.renew(flow, renew)
    }

    fn finish(&self, flow: FlowKey, finish: Finish) -> Reply<'_, Finished> {
        let body = finish.body.clone().unwrap_or_default();
        *self.last.lock().expect("a test failed") = body.to_vec();
        self.inner.finish(flow, finish)
    }

    fn end(&self, flow: FlowKey, end: End) -> Reply<'_, EndedFlow> {
        self.inner.end(flow, end)
    }

    fn release(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Released> {
        self.inner.release(flow, id)
    }

    fn mark_lost(&self, flow: FlowKey, id: ClaimId) -> Reply<'_, Marked> {
        self.inner.mark_lost(flow, id)
    }

    fn find(&self, label: FlowLabel) -> Reply<'_, Option<Found>> {
        self.inner.find(label)
    }

    fn resolve(&self, flow: FlowKey, resolution: Resolution) -> Reply<'_, Resolved> {
        self.inner.resolve(flow, resolution)
    }
}

#[tokio::test]
async fn a_record_that_was_copied_or_edited_is_an_end_without_a_result() {
    let store = Arc::new(Tampered {
        inner: MemoryStore::new(),
        body: Mutex::default(),
        last: Mutex::default(),
    });
    let booked = Booked::default();
    let peer = Peer::of(desk(&booked).flows(Arc::clone(&store)));
    let mut flows = Vec::new();
    for _ in 0..2 {
        let one = peer.call("book", json!({})).await;
        let two = one.answer(ada()).await;
        let first = two.answer(yes()).await;
        let body = store.last.lock().expect("a test failed").clone();
        assert!(!body.windows(3).any(|part| part == b"Ada"), "it is sealed");
        assert_eq!(two.answer(yes()).await.result(), first.result());
        flows.push((two, body));
    }
    let (two, own) = &flows[0];
    let (_, others) = &flows[1];
    let mut edited = own.clone();
    *edited.last_mut().expect("a body") ^= 1;
    let cut = own[..own.len() - 1].to_vec();
    let plain = br#""result":{"content":[]}"#.to_vec();
    for body in [others.clone(), edited, cut, plain, Vec::new()] {
        *store.body.lock().expect("a test failed") = Some(body);
        let told = two.answer(yes()).await;
        let failure = told.failure();
        assert!(
            failure.contains("its result is no longer kept"),
            "{}",
            told.raw
        );
        assert!(!told.raw.contains("room"), "{}", told.raw);
    }
    assert_eq!(booked.0.load(Ordering::SeqCst), 2);
}
