//! A client of the cash desk that sends exactly what it is told to, also twice.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ureq::Agent;

use crate::Failure;

use super::balancer::{ANSWERED_BY, CAME_FROM};

/// How many requests were sent in the run.
pub(super) static SENT: AtomicU64 = AtomicU64::new(0);

/// What a request was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Told {
    /// A question under this key, and the state to answer it with.
    Asked(String, String),
    /// The receipt, with the bytes of the whole response.
    Paid(String),
    /// The no was taken.
    NotPaid,
    /// The handler ran and found the ticket paid; no repeat may ever see this.
    PaidAlready,
    /// Nobody knows what became of the call.
    Unknown,
    /// The flow ended with other answers.
    Ended,
    /// The flow ended with these answers, and its result is gone.
    NotKept,
    /// Another request is at it.
    Busy,
    /// This request did nothing.
    NothingDone,
    /// The state does not open.
    Refused,
    /// No response: the instance died, or the client did not wait any longer.
    Lost,
    /// Something else, which is always a fault.
    Other(String),
}

impl Told {
    /// Whether another try could be told something else.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Self::Busy | Self::NothingDone | Self::Lost)
    }
}

/// A request: it can be sent as often as somebody likes, and is the same bytes each time.
#[derive(Debug, Clone)]
pub(super) struct Request {
    body: String,
    ticket: u64,
    /// The instance that the client has come from.
    came_from: String,
}

impl Request {
    /// The first request for a ticket.
    pub(super) fn first(ticket: u64) -> Self {
        Self::new(ticket, &json!({}), String::new())
    }

    /// The next one, with this answer.
    pub(super) fn answer(&self, state: &str, key: &str, answer: &Value, came_from: &str) -> Self {
        let more = json!({ "inputResponses": { key: answer }, "requestState": state });
        Self::new(self.ticket, &more, came_from.to_owned())
    }

    /// The same request with another answer to its question.
    pub(super) fn answering(&self, key: &str, answer: &Value) -> Self {
        let mut frame: Value = serde_json::from_str(&self.body).expect("we wrote it");
        frame["params"]["inputResponses"] = json!({ key: answer });
        Self {
            body: frame.to_string(),
            ..self.clone()
        }
    }

    fn new(ticket: u64, more: &Value, came_from: String) -> Self {
        let mut params = json!({
            "name": "pay",
            "arguments": { "ticket": ticket },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "scale-out", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
            },
        });
        for (name, value) in more.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        Self {
            body: body.to_string(),
            ticket,
            came_from,
        }
    }
}

/// What came back, and from which instance.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    pub(super) told: Told,
    pub(super) from: String,
}

/// A client at one address.
#[derive(Clone)]
pub(super) struct Client {
    agent: Agent,
    url: String,
}

impl Client {
    /// A client of what listens at this port.
    pub(super) fn of(port: u16) -> Self {
        let config = Agent::config_builder().http_status_as_error(false);
        Self {
            agent: config.build().into(),
            url: format!("http://127.0.0.1:{port}/mcp"),
        }
    }

    /// Sends a request and waits at most so long for the response.
    pub(super) fn send(&self, request: &Request, patience: Duration) -> Reply {
        SENT.fetch_add(1, Ordering::Relaxed);
        let lost = Reply {
            told: Told::Lost,
            from: String::new(),
        };
        let sent = self
            .agent
            .post(&self.url)
            .config()
            .timeout_global(Some(patience))
            .build()
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "pay")
            .header(CAME_FROM, &request.came_from)
            .send(&request.body);
        let Ok(mut response) = sent else { return lost };
        let from = response.headers().get(ANSWERED_BY);
        let from = from.and_then(|name| name.to_str().ok());
        let from = from.unwrap_or_default().to_owned();
        // The balancer answers for an instance that died or is not there.
        if matches!(response.status().as_u16(), 502..=504) {
            return lost;
        }
        let told = match response.body_mut().read_to_string() {
            Ok(body) => told(&body),
            Err(_) => Told::Lost,
        };
        Reply { told, from }
    }

    /// Sends a request until it is told something that stays, as a patient client does.
    pub(super) fn insist(&self, request: &Request, patience: Duration) -> Reply {
        let give_up = Instant::now() + patience;
        loop {
            let left = give_up.saturating_duration_since(Instant::now());
            let reply = self.send(request, left.max(Duration::from_millis(100)));
            if !reply.told.is_open() || Instant::now() >= give_up {
                return reply;
            }
            sleep(Duration::from_millis(50));
        }
    }

    /// Plays a ticket up to its confirmation and returns the request that answers it.
    pub(super) fn confirm(
        &self,
        ticket: u64,
        who: &str,
        answer: &Value,
    ) -> Result<Request, Failure> {
        let first = Request::first(ticket);
        let second = self.step(&first, "who", &json!({ "value": who }))?;
        self.finish(&second, answer)
    }

    /// Answers the question that a request is asked.
    pub(super) fn step(
        &self,
        request: &Request,
        key: &str,
        content: &Value,
    ) -> Result<Request, Failure> {
        self.next(request, key, &accept(content))
    }

    /// Answers the confirmation that a request is asked.
    pub(super) fn finish(&self, request: &Request, answer: &Value) -> Result<Request, Failure> {
        self.next(request, "ok", answer)
    }

    fn next(&self, request: &Request, key: &str, answer: &Value) -> Result<Request, Failure> {
        let reply = self.insist(request, Duration::from_secs(30));
        match reply.told {
            Told::Asked(asked, state) if asked == key => {
                Ok(request.answer(&state, key, answer, &reply.from))
            }
            other => Err(format!("instead of the question `{key}` came {other:?}").into()),
        }
    }
}

/// An accepted form.
pub(super) fn accept(content: &Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// A yes.
pub(super) fn yes() -> Value {
    accept(&json!({ "ok": true }))
}

/// A no.
pub(super) fn no() -> Value {
    json!({ "action": "decline" })
}

/// Reads a response.
fn told(body: &str) -> Told {
    let other = || Told::Other(body.to_owned());
    let Ok(response) = serde_json::from_str::<Value>(body) else {
        return other();
    };
    let result = &response["result"];
    if response["error"]["code"] == -32602 {
        return Told::Refused;
    }
    if result["resultType"] == "input_required" {
        let asked = result["inputRequests"].as_object();
        let key = asked.and_then(|asked| asked.keys().next());
        let state = result["requestState"].as_str();
        return match (key, state) {
            (Some(key), Some(state)) => Told::Asked(key.clone(), state.into()),
            _ => other(),
        };
    }
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    if result["isError"] != true {
        return match text.starts_with("paid ") {
            true => Told::Paid(body.to_owned()),
            false => other(),
        };
    }
    FIXED
        .iter()
        .find(|(part, _)| text.contains(part))
        .map_or_else(other, |(_, told)| told.clone())
}

/// The texts of the desk and of the flow store, by a part of each.
const FIXED: &[(&str, Told)] = &[
    ("not paid", Told::NotPaid),
    ("is paid already", Told::PaidAlready),
    ("outcome of this call is not known", Told::Unknown),
    ("already ended with other answers", Told::Ended),
    ("its result is no longer kept", Told::NotKept),
    ("This call is being carried out", Told::Busy),
    ("This request carried out nothing", Told::NothingDone),
];
