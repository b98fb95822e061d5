//! Requests as JSON values, with the `_meta` that the revision wants on each.

use serde_json::{Value, json};

/// What a client that can be asked forms and pages says of itself.
pub const META: &str = r#"{
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "0" },
    "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {}, "url": {} } }
}"#;

/// The `_meta` of a client with other capabilities.
#[must_use]
pub fn capabilities(declared: &Value) -> Value {
    let mut meta: Value = serde_json::from_str(META).expect("the constant is JSON");
    meta["io.modelcontextprotocol/clientCapabilities"] = declared.clone();
    meta
}

/// A request; the usual `_meta` is added unless `params` has its own.
#[must_use]
pub fn frame(id: u64, method: &str, mut params: Value) -> Value {
    if params.get("_meta").is_none() {
        params["_meta"] = serde_json::from_str(META).expect("the constant is JSON");
    }
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}
