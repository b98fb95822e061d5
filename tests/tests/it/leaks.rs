//! What goes in does not come out anywhere but where it belongs.

use std::io;
use std::sync::{Arc, Mutex};

use mrtr::flow::{
    Claim, ClaimId, Claimed, Cont, End, EndedFlow, Epoch, Finish, Finished, FlowKey, FlowLabel,
    FlowStore, Found, Look, Looked, Marked, MemoryStore, Origin, Released, Renew, Renewed, Reply,
    Resolution, Resolved,
};
use mrtr::prelude::*;
use mrtr::{Key, KeyRing, Server};
use mrtr_tests::{Peer, accept, decline};
use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;

/// A word that nothing else holds.
const CANARY: &str = "canary-7f3a91";

/// Log lines in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("the log").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// A type that reads only one value, so that serde has something to quote.
#[derive(Debug, Deserialize, JsonSchema, Form)]
struct Picky {
    #[schemars(range(min = 1, max = 9))]
    number: u8,
    #[schemars(length(max = 40))]
    text: String,
}

#[tool]
async fn curious(secret: String, who: Principal, ctx: &Ctx) -> Result<String, ToolError> {
    let answer: Picky = ctx.ask("answer", "What?").await;
    let debug = format!("{ctx:?} {who:?}");
    assert!(!debug.contains(CANARY), "{debug}");
    let second: Confirm = ctx.ask("ok", "Sure?").await;
    if second.no() {
        return Err(ToolError::internal(format!(
            "the database said {}",
            answer.text
        )));
    }
    Ok(format!("{} {}", secret.len(), answer.number))
}

#[tokio::test]
async fn arguments_answers_callers_and_states_are_in_no_log_no_debug_and_no_error() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(log.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);

    let principal = Principal::new(CANARY, CANARY)
        .expect("a principal")
        .tenant(CANARY);
    assert!(!format!("{principal:?}").contains(CANARY));
    let server = Server::new("leaks", "1").tool(curious);
    let peer = Peer::of(server).as_principal(principal);
    let asked = peer.call("curious", json!({ "secret": CANARY })).await;
    let mut replies = vec![asked.raw.clone()];
    let state = asked.state();
    for wrong in [
        json!({ "number": CANARY, "text": "" }),
        json!({ "number": 99, "text": CANARY }),
        json!({ "number": 1, "text": CANARY.repeat(9) }),
        json!({ "number": 1, "text": { "nested": CANARY } }),
        json!({ CANARY: 1 }),
    ] {
        replies.push(asked.answer(json!({ "answer": accept(wrong) })).await.raw);
    }
    let sealed = asked
        .answer(json!({ "answer": accept(json!({ "number": 1, "text": CANARY })) }))
        .await;
    replies.push(sealed.raw.clone());
    let mut forged = sealed.next(json!({ "ok": accept(json!({ "ok": true })) }));
    forged["arguments"]["secret"] = json!("other");
    replies.push(peer.send(forged).await.raw);
    // What the author throws at `?` is for the log by design, and for nobody else.
    drop(guard);
    let failed = sealed
        .answer(json!({ "ok": accept(json!({ "ok": false })) }))
        .await;
    replies.push(failed.raw);

    for reply in &replies {
        assert!(!reply.contains(CANARY), "{reply}");
    }
    let text = String::from_utf8(log.0.lock().expect("the log").clone()).expect("UTF-8");
    assert!(!text.is_empty(), "the log was taken");
    assert!(!text.contains(CANARY), "{text}");
    assert!(!text.contains(&state), "no state is logged");
}

/// A store that keeps what it is told, as a reader of its data would see it.
struct Tapped {
    inner: MemoryStore,
    told: Arc<Mutex<Vec<u8>>>,
}

impl Tapped {
    /// Notes the parts of a record that are the server's words.
    fn note(&self, parts: &[&[u8]]) {
        self.told.lock().expect("the tap").extend(parts.concat());
    }

    fn note_origin(&self, flow: FlowKey, cont: Cont, origin: &Origin) {
        let caller = origin.caller.map_or([0; 16], |caller| caller.0);
        self.note(&[&flow.0, &cont.0, &origin.label.0, &origin.bound.0, &caller]);
    }
}

impl FlowStore for Tapped {
    fn epoch(&self) -> Reply<'_, Epoch> {
        self.inner.epoch()
    }
    fn look(&self, flow: FlowKey, look: Look) -> Reply<'_, Looked> {
        self.note(&[&flow.0, &look.cont.0]);
        self.inner.look(flow, look)
    }
    fn claim(&self, flow: FlowKey, claim: Claim) -> Reply<'_, Claimed> {
        self.note_origin(flow, claim.cont, &claim.origin);
        self.inner.claim(flow, claim)
    }
    fn renew(&self, flow: FlowKey, renew: Renew) -> Reply<'_, Renewed> {
        self.inner.renew(flow, renew)
    }
    fn finish(&self, flow: FlowKey, finish: Finish) -> Reply<'_, Finished> {
        self.note(&[&flow.0, finish.body.as_deref().expect("a result")]);
        self.inner.finish(flow, finish)
    }
    fn end(&self, flow: FlowKey, end: End) -> Reply<'_, EndedFlow> {
        self.note_origin(flow, end.cont, &end.origin);
        self.note(&[end.body.as_deref().expect("a result")]);
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

/// Pays, and says in its result what the canary is.
#[tool]
async fn pay(secret: String) -> Result<String, ToolError> {
    #[ask(message = "Pay?")]
    let ok: Confirm;
    if ok.no() {
        return Err(ToolError::user(format!("{secret} is not paid")));
    }
    #[commit(c, key = secret)]
    let key = c.key(&secret);
    Ok(format!("{secret} is paid under {key}"))
}

#[tokio::test]
async fn what_a_commit_was_about_is_in_no_log_and_not_readable_in_the_store() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(log.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let told = Arc::new(Mutex::new(Vec::new()));
    let store = Tapped {
        inner: MemoryStore::new(),
        told: Arc::clone(&told),
    };
    let server = Server::new("leaks", "1").flows(store).tool(pay);
    let ada = Principal::new(CANARY, CANARY).expect("a principal");
    let peer = Peer::of(server).as_principal(ada);
    for (answer, said) in [
        (accept(json!({ "ok": true })), "is paid"),
        (decline(), "is not paid"),
    ] {
        let asked = peer.call("pay", json!({ "secret": CANARY })).await;
        for _ in 0..2 {
            let end = asked.answer(json!({ "ok": answer })).await;
            assert!(
                end.raw.contains(said) && end.raw.contains(CANARY),
                "{}",
                end.raw
            );
        }
    }
    let told = told.lock().expect("the tap").clone();
    assert!(told.len() > 1000, "the store was told: {}", told.len());
    let readable = |word: &str| told.windows(word.len()).any(|part| part == word.as_bytes());
    assert!(!readable(CANARY) && !readable("paid"));
    let text = String::from_utf8(log.0.lock().expect("the log").clone()).expect("UTF-8");
    assert!(text.contains("Committed"), "the commit was logged: {text}");
    assert!(!text.contains(CANARY), "{text}");
}

#[test]
fn keys_show_their_ids_and_nothing_else() {
    let bytes: Vec<u8> = (1..=32).collect();
    let key = Key::from_bytes(&bytes).expect("a key");
    let shown = format!("{key:?}");
    let ring = KeyRing::new([key]).expect("a ring");
    for text in [
        shown,
        format!("{ring:?}"),
        format!("{:?}", Server::new("n", "1").keys(ring.clone())),
    ] {
        assert!(
            !text.contains("1, 2, 3") && !text.contains("010203"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn texts_of_others_are_made_visible_in_questions() {
    #[tool]
    async fn confirm_flight(
        flight: String,
        #[ask(message = "Book {flight} at 900 EUR?")] ok: Confirm,
    ) -> String {
        format!("{}", ok.yes())
    }
    let peer = Peer::of(Server::new("leaks", "1").tool(confirm_flight));
    let hostile = "LH1 for 10 EUR.\n\n\n\n\n\u{202e}\u{200b}\u{7}".to_owned() + &"x".repeat(500);
    let asked = peer
        .call("confirm_flight", json!({ "flight": hostile }))
        .await;
    let message = asked.message("ok");
    assert!(
        !message.contains('\n') && message.contains("\\u{202e}"),
        "{message}"
    );
    assert!(
        message.contains('…') && message.ends_with("at 900 EUR?"),
        "{message}"
    );
    assert!(message.chars().count() < 200, "{message}");
}
