//! A client of one built server.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use mrtr::{Endpoint, Principal, Request, Response, Server};
use mrtr_wire::Judge;
use serde_json::{Value, json};

use crate::frame::frame;
use crate::round::Round;

/// A client of one built server. Clones share the server and the judge.
#[derive(Clone)]
pub struct Peer {
    endpoint: Endpoint,
    principal: Option<Principal>,
    judge: Arc<Mutex<Judge>>,
    last_id: Arc<AtomicU64>,
}

impl Peer {
    /// A client at the other end of the server's pipes.
    ///
    /// # Panics
    /// When the server cannot be built.
    #[must_use]
    pub fn of(server: Server) -> Self {
        Self::at(server.build_lines().expect("the server builds"))
    }

    /// A client of an endpoint.
    #[must_use]
    pub fn at(endpoint: Endpoint) -> Self {
        Self {
            endpoint,
            principal: None,
            judge: Arc::default(),
            last_id: Arc::default(),
        }
    }

    /// The same client as somebody.
    #[must_use]
    pub fn as_principal(&self, principal: Principal) -> Self {
        Self {
            principal: Some(principal),
            ..self.clone()
        }
    }

    /// Calls a tool.
    pub async fn call(&self, tool: &str, arguments: Value) -> Round {
        self.send(json!({ "name": tool, "arguments": arguments }))
            .await
    }

    /// Sends `tools/call` with these params.
    pub async fn send(&self, params: Value) -> Round {
        let raw = self.request("tools/call", params.clone()).await;
        Round::new(self.clone(), params, &raw)
    }

    /// Sends a request and returns the text of the response.
    ///
    /// # Panics
    /// When there is no response, or the judge finds fault with what came.
    pub async fn request(&self, method: &str, params: Value) -> String {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        let request = frame(id, method, params).to_string();
        let messages = self.exchange(&request).await;
        messages
            .into_iter()
            .next_back()
            .expect("a request has a response")
    }

    /// Sends a text as it is and returns the texts that come back, the response last.
    ///
    /// # Panics
    /// When the judge finds fault with one.
    pub async fn exchange(&self, text: &str) -> Vec<String> {
        self.judge.lock().expect("a test failed").sent(text);
        let mut request = Request::line(text.to_owned());
        if let Some(principal) = &self.principal {
            request = request.with_principal(principal.clone());
        }
        let mut messages = Vec::new();
        match self.endpoint.handle(request).await {
            Response::Json(reply) => messages.push(text_of(reply.body())),
            Response::Events(mut events) => {
                while let Some(event) = events.next().await {
                    messages.push(text_of(&event));
                }
            }
            _ => {}
        }
        for message in &messages {
            let faults = self.judge.lock().expect("a test failed").received(message);
            assert!(faults.is_empty(), "{faults:?}\nin {message}\nto {text}");
        }
        messages
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("messages are UTF-8")
}
