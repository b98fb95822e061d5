//! The requests that every peer gets, and what is looked for in the answers.

use serde_json::{Value, json};

use crate::Failure;

/// One request: method, params without `_meta`, and how its answer is known to be right.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: &'static str,
    /// What `Mcp-Name` repeats.
    pub(crate) name: Option<&'static str>,
    params: Value,
    /// What stands in the right answer only.
    pub(crate) sign: String,
}

/// Where the traveller goes.
const CITY: &str = "Lisbon";

impl Request {
    fn call(name: &'static str, arguments: &Value, sign: String) -> Self {
        Self {
            method: "tools/call",
            name: Some(name),
            params: json!({"name": name, "arguments": arguments}),
            sign,
        }
    }

    /// The first round of `plan`.
    pub(crate) fn first() -> Self {
        let sign = format!("Who is travelling to {CITY}?");
        Self::call("plan", &json!({"city": CITY}), sign)
    }

    /// The round that brings the answer of `plan`.
    pub(crate) fn retry(state: &str) -> Self {
        let content = json!({"name": "Ada Lovelace", "seat": "window"});
        let mut request = Self::first();
        request.answer("who", &content, state);
        request.sign = format!("Ada Lovelace travels to {CITY}, window");
        request
    }

    /// One round of `quiz`: the first, or the one that answers a question.
    pub(crate) fn quiz(rounds: u8, answered: Option<(u8, &str)>) -> Self {
        let next = answered.map_or(0, |(number, _)| number + 1);
        let sign = if next == rounds {
            format!("{rounds} of {rounds}")
        } else {
            format!("What is {next} and {next}?")
        };
        let mut request = Self::call("quiz", &json!({"rounds": rounds}), sign);
        if let Some((number, state)) = answered {
            request.answer(&format!("q{number}"), &json!({"value": 2 * number}), state);
        }
        request
    }

    /// The list of tools.
    pub(crate) fn list(sign: &str) -> Self {
        Self {
            method: "tools/list",
            name: None,
            params: json!({}),
            sign: sign.into(),
        }
    }

    fn answer(&mut self, key: &str, content: &Value, state: &str) {
        self.params["inputResponses"] = json!({key: {"action": "accept", "content": content}});
        self.params["requestState"] = state.into();
    }

    /// The message as one line without its end. `_meta` is what a client sends with each request.
    pub(crate) fn text(&self, id: u64) -> String {
        let mut params = self.params.clone();
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1.0.0"},
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
        });
        json!({"jsonrpc": "2.0", "id": id, "method": self.method, "params": params}).to_string()
    }

    /// The headers that Streamable HTTP wants.
    pub(crate) fn headers(&self) -> Vec<(&'static str, &'static str)> {
        let mut headers = vec![
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", self.method),
        ];
        headers.extend(self.name.map(|name| ("Mcp-Name", name)));
        headers
    }

    /// Whether the answer is the right one.
    pub(crate) fn is_answered_by(&self, answer: &[u8]) -> bool {
        let sign = self.sign.as_bytes();
        answer.windows(sign.len()).any(|part| part == sign)
    }

    /// Refuses an answer that is not the right one.
    pub(crate) fn check(&self, answer: &[u8]) -> Result<(), Failure> {
        if self.is_answered_by(answer) {
            return Ok(());
        }
        let answer = String::from_utf8_lossy(answer);
        Err(format!("{} was answered with {answer}", self.method).into())
    }
}

/// The state that an answer brings.
pub(crate) fn state(answer: &[u8]) -> Result<String, Failure> {
    let answer: Value = serde_json::from_slice(answer)?;
    let state = answer["result"]["requestState"].as_str();
    Ok(state.ok_or("the answer has no requestState")?.to_owned())
}
