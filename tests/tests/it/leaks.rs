//! What goes in does not come out anywhere but where it belongs.

use std::io;
use std::sync::{Arc, Mutex};

use mrtr::prelude::*;
use mrtr::{Key, KeyRing, Server};
use mrtr_tests::{Peer, accept};
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
