//! The protocol as a client sees it, message by message.

mod flow;
mod garbage;
mod methods;
mod running;
mod spans;

use std::sync::Arc;

use serde_json::{Value, json};

use crate::fixture::{TestWorld, Traces, call, request, send, server};
use crate::server::{Endpoint, Server};

pub(super) struct Desk {
    pub(super) endpoint: Endpoint,
    pub(super) world: Arc<TestWorld>,
    pub(super) traces: Traces,
}

pub(super) fn desk() -> Desk {
    desk_with(|server| server)
}

pub(super) fn desk_with(change: impl FnOnce(Server) -> Server) -> Desk {
    let (world, traces) = (TestWorld::new(), Traces::default());
    let endpoint = change(server(&world, &traces)).build_lines().unwrap();
    Desk {
        endpoint,
        world,
        traces,
    }
}

impl Desk {
    pub(super) async fn code(&self, message: &Value) -> i64 {
        let answer = send(&self.endpoint, message).await;
        answer["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("no error: {answer}"))
    }

    /// The state of a first round of `close_ticket`.
    pub(super) async fn state(&self) -> String {
        let asked = send(
            &self.endpoint,
            &call("close_ticket", json!({"ticket": 4711})),
        )
        .await;
        asked["result"]["requestState"].as_str().unwrap().to_owned()
    }
}

pub(super) fn retry(state: &str, answer: Value) -> Value {
    request(
        2,
        "tools/call",
        json!({
            "name": "close_ticket",
            "arguments": {"ticket": 4711},
            "inputResponses": {"confirm": answer},
            "requestState": state,
        }),
    )
}

pub(super) fn yes() -> Value {
    json!({"action": "accept", "content": {"ok": true}})
}
