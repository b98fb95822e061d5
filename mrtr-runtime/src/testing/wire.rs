//! The bytes of a test: a request as a client writes it, and the response read back.

use bytes::Bytes;
use mrtr_core::capability::Capabilities;
use serde_json::{Value, json};

use crate::protocol::{MODERN, Request, Response};

use super::question::Question;
use super::stance::{Cap, Stance};
use super::transcript::End;
use super::tree::Tree;

/// Calls a tool.
pub(super) const TOOL: &str = "tools/call";
/// Gets a prompt.
pub(super) const PROMPT: &str = "prompts/get";
/// Reads a resource.
pub(super) const RESOURCE: &str = "resources/read";

/// What a request comes to.
#[derive(Clone)]
pub(super) enum Came {
    /// Questions, and the state to bring back.
    Asked {
        questions: Vec<Question>,
        state: String,
    },
    /// A final result: the `result` member.
    Complete(Tree),
    /// A JSON-RPC error: the `error` member.
    Failed(Tree),
    /// No response: the server thinks that the client has gone.
    Nothing,
}

impl Came {
    /// The end of the call; questions are none, and belong to who takes them.
    pub(super) fn into_end(self) -> End {
        match self {
            Self::Complete(result) => End::Complete(result),
            Self::Failed(error) => End::Failed(error),
            Self::Nothing | Self::Asked { .. } => End::Nothing,
        }
    }
}

/// A response with what came before it.
pub(super) struct Received {
    pub(super) came: Came,
    /// Progress and log messages.
    pub(super) notifications: Vec<Tree>,
}

/// The request for a handler, as a line.
pub(super) fn request(method: &str, stance: &Stance, params: &Value) -> Request {
    let mut params = params.clone();
    params["_meta"] = meta(stance);
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let request = Request::line(message.to_string());
    match &stance.principal {
        Some(principal) => request.with_principal(principal.clone()),
        None => request,
    }
}

/// What a client says that it can be asked.
pub(super) fn declared(stance: &Stance) -> Value {
    let declared = Capabilities {
        form: stance.has(Cap::Form),
        url: stance.has(Cap::Url),
        sampling: stance.has(Cap::Sampling),
        sampling_tools: stance.has(Cap::Sampling),
        sampling_context: stance.has(Cap::Sampling),
        roots: stance.has(Cap::Roots),
    };
    serde_json::from_str(&declared.to_json()).expect("invariant: capabilities are JSON")
}

/// What each request of the revision says of its client. It asks for all notifications.
fn meta(stance: &Stance) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": { "name": "mrtr-testing", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": declared(stance),
        "io.modelcontextprotocol/logLevel": "debug",
        "progressToken": 1,
    })
}

/// Reads a response to its end.
pub(super) async fn receive(response: Response) -> Received {
    let mut messages = Vec::new();
    match response {
        Response::Json(reply) => messages.push(tree(reply.body())),
        Response::Events(mut events) => {
            while let Some(event) = events.next().await {
                messages.push(tree(&event));
            }
        }
        Response::Accepted | Response::Nothing => {}
    }
    let answers = |message: &Tree| message.get("id").is_some();
    let came = match messages.pop_if(|message| answers(message)) {
        Some(message) => came(&message),
        None => Came::Nothing,
    };
    Received {
        came,
        notifications: messages,
    }
}

pub(super) fn tree(bytes: &Bytes) -> Tree {
    match std::str::from_utf8(bytes) {
        Ok(text) => Tree::read(text),
        Err(_) => panic!("the server sent something that is not UTF-8"),
    }
}

pub(super) fn came(message: &Tree) -> Came {
    if let Some(error) = message.get("error") {
        return Came::Failed(error.clone());
    }
    let Some(result) = message.get("result") else {
        panic!("the server sent a response with neither result nor error: {message}")
    };
    match result.text("resultType") {
        "input_required" => Came::Asked {
            questions: questions(result),
            state: result.text("requestState").to_owned(),
        },
        _ => Came::Complete(result.clone()),
    }
}

fn questions(result: &Tree) -> Vec<Question> {
    let requests = result.get("inputRequests").map(Tree::members);
    let question = |(key, request): &(String, Tree)| Question::new(key.clone(), request.clone());
    requests.unwrap_or_default().iter().map(question).collect()
}
