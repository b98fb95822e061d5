//! What a client plays: a request, the questions it is asked on the way, and what must come of it.

use mrtr_wire::Revision;
use serde_json::{Value, json};

/// One request to the server, and everything that follows.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) request: Request,
    /// The questions in order; those of one batch are asked together.
    pub(crate) batches: &'static [&'static [Ask]],
    pub(crate) end: End,
    /// Why it cannot be played at 2026-07-28.
    pub(crate) only_legacy: Option<&'static str>,
}

/// What the client requests.
pub(crate) enum Request {
    /// A tool, with its arguments as JSON text.
    Tool(&'static str, &'static str),
    /// A prompt, with its arguments as JSON text.
    Prompt(&'static str, &'static str),
    /// A resource.
    Resource(&'static str),
}

/// A question, and the answer that the client gives.
pub(crate) struct Ask {
    pub(crate) kind: Kind,
    pub(crate) key: &'static str,
    /// A part of what the question says. In a session it is all that tells questions apart.
    pub(crate) says: &'static str,
    pub(crate) reply: Reply,
}

/// The kinds of question.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Form,
    /// A form in which several choices can be taken.
    Choices,
    Link,
    Model,
    Roots,
}

/// An answer, content as JSON text.
pub(crate) enum Reply {
    Accept(&'static str),
    /// The user agrees to open a link.
    Agree,
    Decline,
    Cancel,
    /// The model says this.
    Says(&'static str),
    /// The user does not let the model answer.
    Refuse,
    /// The folders at these addresses.
    Folders(&'static [&'static str]),
}

/// How a request ends; each with a part of what it says.
pub(crate) enum End {
    /// Well.
    Good(&'static str),
    /// In a failure that the model can read.
    Bad(&'static str),
    /// In an error of the protocol.
    Error(i64, &'static str),
}

/// What must come of a case at some revision.
pub(crate) enum Expected {
    /// Its end, by way of its questions.
    End,
    /// An error that names what the revision does not have.
    Refusal(&'static str),
}

impl Case {
    /// The case for the drivers.
    pub(crate) fn to_json(&self) -> Value {
        let parsed = |text: &str| -> Value {
            serde_json::from_str(text).expect("the table of cases holds JSON")
        };
        let params = match self.request {
            Request::Tool(name, arguments) | Request::Prompt(name, arguments) => {
                json!({ "name": name, "arguments": parsed(arguments) })
            }
            Request::Resource(uri) => json!({ "uri": uri }),
        };
        let answers: Vec<Value> = self
            .asks()
            .map(|ask| {
                json!({ "method": ask.kind.method(), "says": ask.says, "reply": ask.reply.to_json() })
            })
            .collect();
        json!({ "method": self.request.method(), "params": params, "answers": answers })
    }

    /// All questions in order.
    pub(crate) fn asks(&self) -> impl Iterator<Item = &Ask> {
        self.batches.iter().copied().flatten()
    }

    /// What must come of it at this revision, or why it cannot be played.
    pub(crate) fn expected(&self, revision: Revision) -> Result<Expected, &'static str> {
        if let Some(why) = self.only_legacy.filter(|_| revision.is_modern()) {
            return Err(why);
        }
        let missing = self.asks().find_map(|ask| ask.kind.missing(revision));
        Ok(missing.map_or(Expected::End, Expected::Refusal))
    }
}

impl Request {
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Tool(..) => "tools/call",
            Self::Prompt(..) => "prompts/get",
            Self::Resource(_) => "resources/read",
        }
    }
}

impl Kind {
    pub(crate) fn method(self) -> &'static str {
        match self {
            Self::Form | Self::Choices | Self::Link => "elicitation/create",
            Self::Model => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }

    /// What a server names that cannot ask it at this revision.
    fn missing(self, revision: Revision) -> Option<&'static str> {
        match self {
            Self::Model | Self::Roots => None,
            Self::Form | Self::Choices | Self::Link if revision < Revision::V2025_06_18 => {
                Some("elicitation")
            }
            Self::Choices if revision < Revision::V2025_11_25 => Some("multiple choices"),
            Self::Link if revision < Revision::V2025_11_25 => Some("url"),
            Self::Form | Self::Choices | Self::Link => None,
        }
    }
}

impl Reply {
    /// The answer as it goes over the wire.
    fn to_json(&self) -> Value {
        match self {
            Self::Accept(content) => {
                let content: Value =
                    serde_json::from_str(content).expect("the table of cases holds JSON");
                json!({ "action": "accept", "content": content })
            }
            Self::Agree => json!({ "action": "accept" }),
            Self::Decline => json!({ "action": "decline" }),
            Self::Cancel => json!({ "action": "cancel" }),
            Self::Says(text) => json!({
                "role": "assistant", "content": { "type": "text", "text": text }, "model": "m-1"
            }),
            Self::Refuse => {
                json!({ "error": { "code": -1, "message": "the user refused" } })
            }
            Self::Folders(uris) => {
                let roots: Vec<Value> = uris.iter().map(|uri| json!({ "uri": uri })).collect();
                json!({ "roots": roots })
            }
        }
    }
}
