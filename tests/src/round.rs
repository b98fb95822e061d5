//! One response, and the way to the next request of the same flow.

use serde_json::{Value, json};

use crate::peer::Peer;

/// A response to `tools/call`.
#[derive(Clone)]
pub struct Round {
    peer: Peer,
    /// The request's params, without answers and state.
    params: Value,
    /// The response as it came.
    pub raw: String,
    /// The response.
    pub response: Value,
}

impl Round {
    pub(crate) fn new(peer: Peer, mut params: Value, raw: &str) -> Self {
        let response = serde_json::from_str(raw).expect("the judge has read it");
        let members = params.as_object_mut().expect("params are an object");
        members.remove("inputResponses");
        members.remove("requestState");
        Self {
            peer,
            params,
            raw: raw.to_owned(),
            response,
        }
    }

    /// The result, or null.
    #[must_use]
    pub fn result(&self) -> &Value {
        &self.response["result"]
    }

    /// The keys of the questions.
    #[must_use]
    pub fn keys(&self) -> Vec<&str> {
        let asked = self.result()["inputRequests"].as_object();
        asked
            .into_iter()
            .flatten()
            .map(|(key, _)| key.as_str())
            .collect()
    }

    /// Whether the call is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.result()["resultType"] != "input_required"
    }

    /// The params of a question.
    #[must_use]
    pub fn question(&self, key: &str) -> &Value {
        &self.result()["inputRequests"][key]["params"]
    }

    /// What a question says.
    ///
    /// # Panics
    /// When nothing was asked under the key.
    #[must_use]
    pub fn message(&self, key: &str) -> &str {
        let message = self.question(key)["message"].as_str();
        message.unwrap_or_else(|| panic!("`{key}` was not asked: {}", self.raw))
    }

    /// The schema of a question's form.
    #[must_use]
    pub fn schema(&self, key: &str) -> &Value {
        &self.question(key)["requestedSchema"]
    }

    /// The state.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn state(&self) -> String {
        let state = self.result()["requestState"].as_str();
        state
            .unwrap_or_else(|| panic!("no state: {}", self.raw))
            .to_owned()
    }

    /// The text of the final result.
    #[must_use]
    pub fn text(&self) -> &str {
        self.result()["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
    }

    /// The text of a final result that tells of a failure; empty for any other.
    #[must_use]
    pub fn failure(&self) -> &str {
        if self.result()["isError"] == true {
            self.text()
        } else {
            ""
        }
    }

    /// The code of a JSON-RPC error; 0 for a result.
    #[must_use]
    pub fn code(&self) -> i64 {
        self.response["error"]["code"].as_i64().unwrap_or_default()
    }

    /// The params of the next request: these answers and the state that came.
    #[must_use]
    pub fn next(&self, responses: Value) -> Value {
        let mut params = self.params.clone();
        params["inputResponses"] = responses;
        params["requestState"] = json!(self.state());
        params
    }

    /// Answers and goes on, as a client does.
    pub async fn answer(&self, responses: Value) -> Self {
        self.peer.send(self.next(responses)).await
    }

    /// Answers and goes on as another client of the same server.
    pub async fn answer_as(&self, peer: &Peer, responses: Value) -> Self {
        peer.send(self.next(responses)).await
    }
}

/// An accepted form.
#[must_use]
pub fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// A no.
#[must_use]
pub fn decline() -> Value {
    json!({ "action": "decline" })
}

/// A closed form.
#[must_use]
pub fn cancel() -> Value {
    json!({ "action": "cancel" })
}
