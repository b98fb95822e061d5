//! The client's end of a session: its handshake, one call, and what comes of it.
//!
//! Everything goes through the bytes of the wire and through the official SDK, as over stdio. Only
//! the key of a question, which these revisions do not send, is looked up behind it.

use mrtr_core::ident::{self, FlowId};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::legacy::{LineSession, ToClient, Whose};

use super::question::Question;
use super::stance::Stance;
use super::tree::Tree;
use super::wire::{self, Came};

/// The id of the one call.
const CALL: i64 = 3;

/// How many messages wait for the test.
const QUEUE: usize = 64;

/// An open session.
pub(super) struct Session {
    line: LineSession,
    messages: mpsc::Receiver<ToClient>,
}

/// A message to the client.
pub(super) enum Told {
    /// A question of the call.
    Asked {
        question: Question,
        /// The id that its answer must have.
        id: Value,
        /// The same for questions in flight together.
        round: u8,
    },
    /// Progress, a log message or a change.
    Notification(Tree),
    /// The call is over.
    Over(Came),
}

impl Session {
    /// Opens a session as a client of its revision does.
    pub(super) async fn open(stance: &Stance) -> Self {
        let server = stance.fleet.endpoint(stance.instance).0;
        let (sender, messages) = mpsc::channel(QUEUE);
        let principal = stance.principal.clone();
        let principal = principal.or_else(|| server.stdio_principal.clone());
        let mut session = Self {
            line: LineSession::start(&server, principal, sender),
            messages,
        };
        let hello = json!({
            "protocolVersion": stance.era.name(),
            "capabilities": wire::declared(stance),
            "clientInfo": { "name": "mrtr-testing", "version": "1" },
        });
        session.request(1, "initialize", &hello).await;
        session.answer_to(1).await;
        session
            .send(&json!({ "method": "notifications/initialized" }))
            .await;
        session
            .request(2, "logging/setLevel", &json!({ "level": "debug" }))
            .await;
        session.answer_to(2).await;
        session
    }

    /// The flow of the call.
    pub(super) fn flow(&self) -> Option<FlowId> {
        Some(ident::flow_id(&self.line.root(CALL)?))
    }

    /// Starts the call.
    pub(super) async fn call(&self, method: &str, params: &Value) {
        let mut params = params.clone();
        params["_meta"] = json!({ "progressToken": 1 });
        self.request(CALL, method, &params).await;
    }

    /// Answers a question.
    pub(super) async fn answer(&self, id: &Value, result: &Value) {
        self.send(&json!({ "id": id, "result": result })).await;
    }

    /// Calls the call off.
    pub(super) async fn cancel(&self) {
        let params = json!({ "requestId": CALL, "reason": "the user walked away" });
        self.send(&json!({ "method": "notifications/cancelled", "params": params }))
            .await;
    }

    /// What comes next.
    pub(super) async fn next(&mut self) -> Told {
        loop {
            let Some(message) = self.messages.recv().await else {
                return Told::Over(Came::Nothing);
            };
            let tree = wire::tree(&message.text);
            if let Some(named) = message.question {
                return Told::Asked {
                    id: value(tree.get("id")),
                    question: Question::new(named.key.as_str().to_owned(), tree),
                    round: named.round,
                };
            }
            match tree.text("method") {
                "" => return Told::Over(wire::came(&tree)),
                // The question of a handler that has ended.
                "notifications/cancelled" => {}
                _ => return Told::Notification(tree),
            }
        }
    }

    async fn request(&self, id: i64, method: &str, params: &Value) {
        let request = json!({ "id": id, "method": method, "params": params });
        self.send(&request).await;
    }

    async fn send(&self, message: &Value) {
        let mut message = message.clone();
        message["jsonrpc"] = "2.0".into();
        let taken = self.line.take(message.to_string().as_bytes()).await;
        if !matches!(taken, Whose::Taken) {
            panic!("the session does not take {message}");
        }
    }

    /// Waits for the response of a request that is none of the test's.
    async fn answer_to(&mut self, id: i64) {
        while let Some(message) = self.messages.recv().await {
            let tree = wire::tree(&message.text);
            let answers = tree.get("id").and_then(Tree::number) == Some(id);
            if answers && tree.get("error").is_none() {
                return;
            }
            assert!(!answers, "the session cannot be opened: {tree}");
        }
        panic!("the server ended the session before it was open");
    }
}

fn value(tree: Option<&Tree>) -> Value {
    let text = tree.map_or_else(|| "null".to_owned(), Tree::to_string);
    serde_json::from_str(&text).expect("invariant: a tree is JSON")
}
