//! One conversation: what was asked for decides what may come back.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::input_required::input_required_faults;
use crate::list::{discover_faults, list_faults, list_of};
use crate::members::only;
use crate::session::Session;
use crate::{Faults, Revision, content, parse};

/// Where a request says which revision it is of; the older ones have no such member.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The codes that a server may use in the range that JSON-RPC and MCP reserve.
const RESERVED_CODES: [i64; 8] = [
    -32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022,
];

/// The same, before 2026-07-28: a resource that is not there, and links to open first.
const OLDER_CODES: [i64; 7] = [-32700, -32600, -32601, -32602, -32603, -32002, -32042];

/// The notifications that belong to a running request.
const REQUEST_NOTIFICATIONS: [&str; 2] = ["notifications/progress", "notifications/message"];

/// What matters of a message of the client. The rest may hold numbers that no `Value` can.
#[derive(Deserialize)]
struct Sent {
    id: Option<Value>,
    method: Option<Value>,
    params: Option<Params>,
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

#[derive(Default, Deserialize)]
struct Params {
    #[serde(default)]
    name: Value,
    #[serde(default)]
    capabilities: Value,
    #[serde(default, rename = "_meta")]
    meta: Value,
}

/// A request of the client that has no response yet.
#[derive(Debug)]
struct Open {
    method: String,
    name: String,
    /// What the client declared in a handshake.
    capabilities: Value,
    meta: Value,
    revision: Revision,
}

/// Judges the messages of one conversation, in order.
///
/// A request that names its revision is held to that one, any other to what the handshake agreed
/// on: a server may speak to one client in both ways.
#[derive(Debug, Default)]
pub struct Judge {
    /// Requests that have no response yet, by the JSON text of their id.
    open: HashMap<String, Open>,
    session: Option<Session>,
    /// The output schema of each tool that the server has listed.
    outputs: HashMap<String, Value>,
}

impl Judge {
    /// A judge that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes note of a message that the client sent. What has no id is passed over.
    pub fn sent(&mut self, text: &str) {
        let Ok(sent) = serde_json::from_str::<Sent>(text) else {
            return;
        };
        let Some(id) = sent.id else { return };
        if sent.method.is_none() && (sent.result.is_some() || sent.error.is_some()) {
            if let Some(session) = &mut self.session {
                session.answered(&id);
            }
            return;
        }
        let text = |value: Value| value.as_str().unwrap_or_default().to_owned();
        let Params {
            name,
            capabilities,
            meta,
        } = sent.params.unwrap_or_default();
        let session = self.session.as_ref();
        let handshake = session.filter(|_| meta.get(VERSION).is_none());
        let open = Open {
            method: text(sent.method.unwrap_or_default()),
            name: text(name),
            capabilities,
            meta,
            revision: handshake.map_or(Revision::V2026_07_28, |session| session.revision),
        };
        self.open.insert(id.to_string(), open);
    }

    /// Says what is wrong with a message that the server sent.
    #[must_use]
    pub fn received(&mut self, text: &str) -> Faults {
        let message = match parse(text) {
            Ok(message) => message,
            Err(why) => return vec![format!("not a JSON message: {why}")],
        };
        let mut faults = Faults::new();
        if message["jsonrpc"] != "2.0" {
            faults.push("`jsonrpc` is not \"2.0\"".to_owned());
        }
        match (message.get("method"), message.get("id")) {
            (Some(_), Some(_)) => self.request(&message, &mut faults),
            (Some(_), None) => self.notification(&message, &mut faults),
            (None, _) => self.response(&message, &mut faults),
        }
        faults
    }

    /// The requests that were never answered, the client's and the server's, by the JSON text of
    /// their id.
    #[must_use]
    pub fn unanswered(&self) -> Vec<String> {
        let asked = self.session.iter().flat_map(Session::waiting);
        let mut ids: Vec<_> = self.open.keys().chain(asked).cloned().collect();
        ids.sort();
        ids
    }

    fn request(&mut self, message: &Value, faults: &mut Faults) {
        let busy = self.open.values().any(|open| !open.revision.is_modern());
        match &mut self.session {
            Some(session) => session.request(message, busy, faults),
            None => faults.push("a server sends no requests in this revision".to_owned()),
        }
    }

    fn notification(&mut self, message: &Value, faults: &mut Faults) {
        only(message, &["jsonrpc", "method", "params"], faults);
        let method = message["method"].as_str().unwrap_or_default();
        let params = &message["params"];
        match method {
            "notifications/progress" => self.progress(params, faults),
            "notifications/message" => self.log_message(params, faults),
            _ => {}
        }
        if let Some(session) = &mut self.session
            && session.notification(message, faults)
        {
            return;
        }
        if !REQUEST_NOTIFICATIONS.contains(&method) {
            faults.push(format!(
                "`{method}` is no notification that a request brings"
            ));
        }
        if self.open.is_empty() {
            faults.push(format!("`{method}` comes while no request is open"));
        }
    }

    fn progress(&self, params: &Value, faults: &mut Faults) {
        let token = &params["progressToken"];
        let known = |open: &Open| &open.meta["progressToken"] == token;
        if token.is_null() || !self.open.values().any(known) {
            faults.push("progress for a token that no open request brought".to_owned());
        }
        if !params["progress"].is_number() {
            faults.push("`progress` is not a number".to_owned());
        }
    }

    fn log_message(&self, params: &Value, faults: &mut Faults) {
        let wanted = |open: &Open| open.meta["io.modelcontextprotocol/logLevel"].is_string();
        // In a session the level is the session's, and the server decides where the client is silent.
        if self.session.is_none() && !self.open.values().any(wanted) {
            faults.push("a log message that no open request asked for".to_owned());
        }
        if !params["level"].is_string() || params.get("data").is_none() {
            faults.push("a log message has `level` and `data`".to_owned());
        }
    }

    fn response(&mut self, message: &Value, faults: &mut Faults) {
        only(message, &["jsonrpc", "id", "result", "error"], faults);
        let request = match message.get("id") {
            None => None,
            Some(id) => {
                let request = self.open.remove(&id.to_string());
                if request.is_none() {
                    faults.push(format!("a response to {id}, which is no open request"));
                }
                request
            }
        };
        match (message.get("result"), message.get("error")) {
            (Some(result), None) => self.result(request.as_ref(), result, faults),
            (None, Some(error)) => error_faults(request.as_ref(), error, faults),
            _ => faults.push("a response has either `result` or `error`".to_owned()),
        }
        if message.get("id").is_none() && message.get("result").is_some() {
            faults.push("a result without `id`".to_owned());
        }
    }

    fn result(&mut self, request: Option<&Open>, result: &Value, faults: &mut Faults) {
        let Some(request) = request else { return };
        if !result.is_object() {
            faults.push("`result` is not an object".to_owned());
            return;
        }
        if request.method == "initialize" && request.meta.get(VERSION).is_none() {
            self.session = Session::open(request.capabilities.clone(), result, faults);
            return;
        }
        if !request.revision.is_modern() {
            older_result_faults(result, faults);
            self.complete(request, result, faults);
            return;
        }
        meta_faults(&result["_meta"], faults);
        match result["resultType"].as_str() {
            Some("complete") => self.complete(request, result, faults),
            Some("input_required") => {
                input_required_faults(&request.method, &request.meta, result, faults);
            }
            _ => faults.push("`resultType` is neither `complete` nor `input_required`".to_owned()),
        }
    }

    fn complete(&mut self, request: &Open, result: &Value, faults: &mut Faults) {
        for member in ["inputRequests", "requestState"] {
            if result.get(member).is_some() {
                faults.push(format!("a complete result has no `{member}`"));
            }
        }
        let revision = request.revision;
        match request.method.as_str() {
            "tools/call" => {
                let output = self.outputs.get(&request.name);
                content::tool_result_faults(revision, result, output, faults);
            }
            "prompts/get" => content::prompt_result_faults(revision, result, faults),
            "resources/read" => content::read_result_faults(revision, result, faults),
            "server/discover" => discover_faults(result, faults),
            method => {
                if let Some(list) = list_of(method) {
                    list_faults(list, revision, result, faults);
                }
            }
        }
        self.remember_outputs(result);
    }

    fn remember_outputs(&mut self, result: &Value) {
        for tool in result["tools"].as_array().into_iter().flatten() {
            if let (Some(name), Some(output)) = (tool["name"].as_str(), tool.get("outputSchema")) {
                self.outputs.insert(name.to_owned(), output.clone());
            }
        }
    }
}

/// What came with 2026-07-28 in every result.
fn older_result_faults(result: &Value, faults: &mut Faults) {
    for later in ["resultType", "ttlMs", "cacheScope"] {
        if result.get(later).is_some() {
            faults.push(format!("`{later}` came with a later revision"));
        }
    }
    if result["_meta"]
        .get("io.modelcontextprotocol/serverInfo")
        .is_some()
    {
        faults.push("`serverInfo` in `_meta` came with a later revision".to_owned());
    }
}

fn error_faults(request: Option<&Open>, error: &Value, faults: &mut Faults) {
    only(error, &["code", "message", "data"], faults);
    let code = error["code"].as_i64();
    let revision = request.map_or(Revision::V2026_07_28, |request| request.revision);
    let known: &[i64] = match revision.is_modern() {
        true => &RESERVED_CODES,
        false => &OLDER_CODES,
    };
    match code {
        Some(code) if (-32768..=-32000).contains(&code) && !known.contains(&code) => {
            faults.push(format!(
                "{code} is reserved and not a code of this revision"
            ));
        }
        Some(_) => {}
        None => faults.push("`error.code` is not an integer".to_owned()),
    }
    match error["message"].as_str() {
        Some(text) if !text.is_empty() && !text.contains('\n') && text.len() <= 256 => {}
        _ => faults.push("`error.message` is not one short sentence".to_owned()),
    }
    let data = &error["data"];
    if code == Some(-32021) && !is_capabilities(&data["requiredCapabilities"]) {
        faults.push("-32021 names what is missing in `data.requiredCapabilities`".to_owned());
    }
    let links = data["elicitations"].as_array();
    let named = |link: &Value| link["mode"] == "url" && link["elicitationId"].is_string();
    let right = revision == Revision::V2025_11_25
        && links.is_some_and(|links| !links.is_empty() && links.iter().all(named));
    if code == Some(-32042) && !right {
        faults.push("-32042 lists URL questions, and is of 2025-11-25 only".to_owned());
    }
    if code == Some(-32022) && !(data["supported"].is_array() && data["requested"].is_string()) {
        faults.push("-32022 has `data.supported` and `data.requested`".to_owned());
    }
}

/// An object of objects of objects, with something in it.
fn is_capabilities(value: &Value) -> bool {
    value.as_object().is_some_and(|object| {
        !object.is_empty()
            && object.values().all(|inner| {
                inner
                    .as_object()
                    .is_some_and(|inner| inner.values().all(Value::is_object))
            })
    })
}

fn meta_faults(meta: &Value, faults: &mut Faults) {
    if meta.is_null() {
        return;
    }
    if !meta.is_object() {
        faults.push("`_meta` is not an object".to_owned());
    }
    if let Some(info) = meta.get("io.modelcontextprotocol/serverInfo")
        && !(info["name"].is_string() && info["version"].is_string())
    {
        faults.push("`serverInfo` lacks `name` or `version`".to_owned());
    }
}
