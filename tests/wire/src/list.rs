//! What a server publishes of itself and of its tools.

use std::collections::HashSet;

use serde_json::Value;

use crate::Faults;
use crate::judge::only;

pub(crate) fn discover_faults(result: &Value, faults: &mut Faults) {
    let versions = result["supportedVersions"].as_array();
    if !versions.is_some_and(|versions| versions.iter().any(|version| version == "2026-07-28")) {
        faults.push("`supportedVersions` lacks 2026-07-28".to_owned());
    }
    if !result["capabilities"].is_object() {
        faults.push("`capabilities` is not an object".to_owned());
    }
    cache_faults(result, faults);
}

pub(crate) fn tools_faults(result: &Value, faults: &mut Faults) {
    cache_faults(result, faults);
    if result
        .get("nextCursor")
        .is_some_and(|cursor| !cursor.is_string())
    {
        faults.push("`nextCursor` is not a string".to_owned());
    }
    let Some(tools) = result["tools"].as_array() else {
        faults.push("`tools` is not an array".to_owned());
        return;
    };
    let mut names = HashSet::new();
    for tool in tools {
        let name = tool["name"].as_str().unwrap_or_default();
        if !names.insert(name) {
            faults.push(format!("two tools of the name `{name}`"));
        }
        let mut found = Faults::new();
        tool_faults(tool, &mut found);
        faults.extend(
            found
                .into_iter()
                .map(|fault| format!("tool `{name}`: {fault}")),
        );
    }
}

/// Every list says how long and for whom it may be kept.
fn cache_faults(result: &Value, faults: &mut Faults) {
    if !result["ttlMs"].is_u64() {
        faults.push("`ttlMs` is not a whole number of milliseconds".to_owned());
    }
    if !matches!(result["cacheScope"].as_str(), Some("public" | "private")) {
        faults.push("`cacheScope` is neither `public` nor `private`".to_owned());
    }
}

fn tool_faults(tool: &Value, faults: &mut Faults) {
    let members = [
        "name",
        "title",
        "description",
        "icons",
        "inputSchema",
        "outputSchema",
        "annotations",
        "_meta",
    ];
    only(tool, &members, faults);
    let name = tool["name"].as_str().unwrap_or_default();
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    if !(1..=128).contains(&name.len()) || !name.bytes().all(plain) {
        faults.push("a name that is not of `[A-Za-z0-9._-]{1,128}`".to_owned());
    }
    if tool["inputSchema"]["type"] != "object" {
        faults.push("an `inputSchema` that is no object's".to_owned());
    }
    for member in ["inputSchema", "outputSchema"] {
        if let Some(schema) = tool.get(member)
            && let Err(error) = jsonschema::draft202012::meta::validate(schema)
        {
            faults.push(format!("`{member}` is no JSON Schema 2020-12: {error}"));
        }
    }
    for (hint, value) in tool["annotations"].as_object().into_iter().flatten() {
        if hint.ends_with("Hint") && !value.is_boolean() {
            faults.push(format!("`{hint}` is not a boolean"));
        }
    }
}
