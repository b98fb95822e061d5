//! One conversation: what was asked for decides what may come back.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input_required::input_required_faults;
use crate::list::{discover_faults, tools_faults};
use crate::{Faults, content, parse};

/// The codes that a server of this revision may use in the range that JSON-RPC and MCP reserve.
const RESERVED_CODES: [i64; 8] = [
    -32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022,
];

/// The notifications that belong to a running request.
const REQUEST_NOTIFICATIONS: [&str; 2] = ["notifications/progress", "notifications/message"];

/// What matters of a request. The rest may hold numbers that no `Value` can.
#[derive(Deserialize)]
struct Sent {
    id: Option<Value>,
    method: Option<Value>,
    params: Option<Params>,
}

#[derive(Default, Deserialize)]
struct Params {
    #[serde(default)]
    name: Value,
    #[serde(default, rename = "_meta")]
    meta: Value,
}

/// Judges the messages of one conversation, in order.
#[derive(Debug, Default)]
pub struct Judge {
    /// Requests that have no response yet, by the JSON text of their id.
    open: HashMap<String, Value>,
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
        let Ok(Sent {
            id: Some(id),
            method,
            params,
        }) = serde_json::from_str(text)
        else {
            return;
        };
        let Params { name, meta } = params.unwrap_or_default();
        let request = json!({ "method": method, "params": { "name": name, "_meta": meta } });
        self.open.insert(id.to_string(), request);
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
            (Some(_), Some(_)) => {
                faults.push("a server sends no requests in this revision".to_owned())
            }
            (Some(_), None) => self.notification(&message, &mut faults),
            (None, _) => self.response(&message, &mut faults),
        }
        faults
    }

    /// The requests that were never answered, by the JSON text of their id.
    #[must_use]
    pub fn unanswered(&self) -> Vec<String> {
        let mut ids: Vec<_> = self.open.keys().cloned().collect();
        ids.sort();
        ids
    }

    fn notification(&self, message: &Value, faults: &mut Faults) {
        only(message, &["jsonrpc", "method", "params"], faults);
        let method = message["method"].as_str().unwrap_or_default();
        if !REQUEST_NOTIFICATIONS.contains(&method) {
            faults.push(format!(
                "`{method}` is no notification that a request brings"
            ));
        }
        if self.open.is_empty() {
            faults.push(format!("`{method}` comes while no request is open"));
        }
        if method == "notifications/progress" {
            self.progress(&message["params"], faults);
        }
        if method == "notifications/message" {
            self.log_message(&message["params"], faults);
        }
    }

    fn progress(&self, params: &Value, faults: &mut Faults) {
        let token = &params["progressToken"];
        let known = |request: &Value| &request["params"]["_meta"]["progressToken"] == token;
        if token.is_null() || !self.open.values().any(known) {
            faults.push("progress for a token that no open request brought".to_owned());
        }
        if !params["progress"].is_number() {
            faults.push("`progress` is not a number".to_owned());
        }
    }

    fn log_message(&self, params: &Value, faults: &mut Faults) {
        let wanted = |request: &Value| {
            request["params"]["_meta"]["io.modelcontextprotocol/logLevel"].is_string()
        };
        if !self.open.values().any(wanted) {
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
            (None, Some(error)) => error_faults(error, faults),
            _ => faults.push("a response has either `result` or `error`".to_owned()),
        }
        if message.get("id").is_none() && message.get("result").is_some() {
            faults.push("a result without `id`".to_owned());
        }
    }

    fn result(&mut self, request: Option<&Value>, result: &Value, faults: &mut Faults) {
        let Some(request) = request else { return };
        if !result.is_object() {
            faults.push("`result` is not an object".to_owned());
            return;
        }
        meta_faults(&result["_meta"], faults);
        match result["resultType"].as_str() {
            Some("complete") => self.complete(request, result, faults),
            Some("input_required") => input_required_faults(request, result, faults),
            _ => faults.push("`resultType` is neither `complete` nor `input_required`".to_owned()),
        }
    }

    fn complete(&mut self, request: &Value, result: &Value, faults: &mut Faults) {
        for member in ["inputRequests", "requestState"] {
            if result.get(member).is_some() {
                faults.push(format!("a complete result has no `{member}`"));
            }
        }
        match request["method"].as_str() {
            Some("tools/call") => {
                let name = request["params"]["name"].as_str().unwrap_or_default();
                content::tool_result_faults(result, self.outputs.get(name), faults);
            }
            Some("tools/list") => {
                tools_faults(result, faults);
                self.remember_outputs(result);
            }
            Some("server/discover") => discover_faults(result, faults),
            _ => {}
        }
    }

    fn remember_outputs(&mut self, result: &Value) {
        for tool in result["tools"].as_array().into_iter().flatten() {
            if let (Some(name), Some(output)) = (tool["name"].as_str(), tool.get("outputSchema")) {
                self.outputs.insert(name.to_owned(), output.clone());
            }
        }
    }
}

fn error_faults(error: &Value, faults: &mut Faults) {
    only(error, &["code", "message", "data"], faults);
    let code = error["code"].as_i64();
    match code {
        Some(code) if (-32768..=-32000).contains(&code) && !RESERVED_CODES.contains(&code) => {
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

/// Adds a fault for each member of `object` that is not among `names`.
pub(crate) fn only(object: &Value, names: &[&str], faults: &mut Faults) {
    let members = object.as_object().into_iter().flatten();
    for (name, _) in members.filter(|(name, _)| !names.contains(&name.as_str())) {
        faults.push(format!("`{name}` does not belong here"));
    }
}
