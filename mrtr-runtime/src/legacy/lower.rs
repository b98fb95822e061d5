//! Results and errors as an older revision has them.
//!
//! Source: the changelogs of the revisions. What a revision does not have is left out, or said in
//! text where the model would miss it.

use serde_json::{Map, Value, json};

use crate::error::{INTERNAL_ERROR, INVALID_PARAMS, MISSING_CAPABILITY};

use super::revision::Revision;

/// The code of a resource that is not there, before 2026-07-28.
pub(super) const NO_RESOURCE: i64 = -32002;

/// The result of a method, without what came later.
pub(super) fn result(revision: Revision, method: &str, mut result: Value) -> Value {
    let Some(members) = result.as_object_mut() else {
        return result;
    };
    for later in ["resultType", "ttlMs", "cacheScope"] {
        members.remove(later);
    }
    if let Some(Value::Object(meta)) = members.get_mut("_meta") {
        meta.remove("io.modelcontextprotocol/serverInfo");
        if meta.is_empty() {
            members.remove("_meta");
        }
    }
    match method {
        "tools/list" => each(members, "tools", |tool| older_tool(revision, tool)),
        "prompts/list" => each(members, "prompts", |prompt| older_names(revision, prompt)),
        "resources/list" => each(members, "resources", |item| older_names(revision, item)),
        "resources/templates/list" => {
            each(members, "resourceTemplates", |item| {
                older_names(revision, item)
            });
        }
        "tools/call" => {
            older_structure(revision, members);
            each_value(members, "content", |block| older_block(revision, block));
        }
        "prompts/get" => each(members, "messages", |message| {
            if let Some(block) = message.get_mut("content") {
                older_block(revision, block);
            }
        }),
        _ => {}
    }
    result
}

/// An error of a method, as its result or as an error of the revision.
pub(super) fn error(
    revision: Revision,
    method: &str,
    error: &Value,
) -> Result<Value, (i64, String, Option<Value>)> {
    let code = error["code"].as_i64().unwrap_or(INTERNAL_ERROR.into());
    let message = error["message"]
        .as_str()
        .unwrap_or("internal error")
        .to_owned();
    let data = error.get("data").cloned();
    if code == i64::from(MISSING_CAPABILITY) {
        // These revisions have no code for it.
        let message = match &data {
            Some(data) => missing(revision, &message, &data["requiredCapabilities"]),
            None => message,
        };
        return match method {
            "tools/call" => Ok(json!({
                "content": [{"type": "text", "text": message}], "isError": true
            })),
            _ => Err((INTERNAL_ERROR.into(), message, data)),
        };
    }
    let gone = method == "resources/read"
        && code == i64::from(INVALID_PARAMS)
        && data.as_ref().is_some_and(|data| data.get("uri").is_some());
    Err((if gone { NO_RESOURCE } else { code }, message, data))
}

/// What a client is told that lacks a capability; one whose revision has none, which has it.
fn missing(revision: Revision, message: &str, needed: &Value) -> String {
    let older = match Revision::first_with(needed) {
        Some(first) if revision < first => format!(
            "; revision {} of the protocol, which it speaks, has no such thing, and {} has",
            revision.name(),
            first.name()
        ),
        _ => String::new(),
    };
    format!("{message}: {needed}{older}")
}

/// The server as a revision introduces it.
pub(super) fn server_info(revision: Revision, info: &mut Map<String, Value>) {
    older_names(revision, info);
    if revision < Revision::V2025_11_25 {
        info.remove("websiteUrl");
        info.remove("description");
    }
}

fn each(members: &mut Map<String, Value>, name: &str, lower: impl Fn(&mut Map<String, Value>)) {
    each_value(members, name, |item| {
        if let Some(item) = item.as_object_mut() {
            lower(item);
        }
    });
}

fn each_value(members: &mut Map<String, Value>, name: &str, lower: impl Fn(&mut Value)) {
    if let Some(Value::Array(items)) = members.get_mut(name) {
        items.iter_mut().for_each(lower);
    }
}

fn older_names(revision: Revision, item: &mut Map<String, Value>) {
    if revision < Revision::V2025_06_18 {
        item.remove("title");
        each(item, "arguments", |argument| {
            argument.remove("title");
        });
    }
    if revision < Revision::V2025_11_25 {
        item.remove("icons");
    }
}

fn older_tool(revision: Revision, tool: &mut Map<String, Value>) {
    older_names(revision, tool);
    let object = |schema: &Value| schema["type"] == "object";
    if revision < Revision::V2025_06_18 || !tool.get("outputSchema").is_some_and(object) {
        tool.remove("outputSchema");
    }
    if revision < Revision::V2025_03_26 {
        tool.remove("annotations");
    }
}

/// Structure has to be an object, and is said in text in any case.
fn older_structure(revision: Revision, members: &mut Map<String, Value>) {
    let kept = revision >= Revision::V2025_06_18;
    let Some(structure) = members.get("structuredContent") else {
        return;
    };
    if kept && structure.is_object() {
        return;
    }
    let text = structure.to_string();
    members.remove("structuredContent");
    if let Some(Value::Array(content)) = members.get_mut("content")
        && content.is_empty()
    {
        content.push(json!({"type": "text", "text": text}));
    }
}

fn older_block(revision: Revision, block: &mut Value) {
    let instead = match block["type"].as_str() {
        Some("resource_link") if revision < Revision::V2025_06_18 => {
            block["uri"].as_str().unwrap_or_default().to_owned()
        }
        Some("audio") if revision < Revision::V2025_03_26 => {
            let kind = block["mimeType"].as_str().unwrap_or("audio");
            format!("(a sound was left out, {kind}: this client cannot take it)")
        }
        _ => return,
    };
    *block = json!({"type": "text", "text": instead});
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_with_2026_07_28_is_left_out() {
        let today = json!({
            "resultType": "complete", "ttlMs": 1, "cacheScope": "public", "tools": [],
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "s"}}
        });
        assert_eq!(
            result(Revision::V2025_11_25, "tools/list", today),
            json!({"tools": []})
        );
        let meta = json!({"_meta": {"io.modelcontextprotocol/serverInfo": {}, "org.example/a": 1}});
        assert_eq!(
            result(Revision::V2025_11_25, "tools/call", meta),
            json!({"_meta": {"org.example/a": 1}})
        );
    }

    #[test]
    fn structure_is_an_object_or_text() {
        let of = |revision, structure: Value| {
            let today = json!({"content": [], "structuredContent": structure});
            result(revision, "tools/call", today)
        };
        assert_eq!(
            of(Revision::V2025_06_18, json!({"n": 1})),
            json!({"content": [], "structuredContent": {"n": 1}})
        );
        let text = |text: &str| json!({"content": [{"type": "text", "text": text}]});
        assert_eq!(of(Revision::V2025_11_25, json!([1])), text("[1]"));
        assert_eq!(
            of(Revision::V2025_03_26, json!({"n": 1})),
            text(r#"{"n":1}"#)
        );
    }

    #[test]
    fn blocks_that_a_revision_does_not_have_are_text() {
        let today = || {
            json!({"content": [
                {"type": "resource_link", "uri": "vault://a", "name": "a"},
                {"type": "audio", "data": "AA==", "mimeType": "audio/wav"},
                {"type": "text", "text": "t"}]})
        };
        let kinds = |revision| -> Vec<String> {
            let lowered = result(revision, "tools/call", today());
            let blocks = lowered["content"].as_array().unwrap();
            blocks
                .iter()
                .map(|block| block["type"].as_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(
            kinds(Revision::V2025_06_18),
            ["resource_link", "audio", "text"]
        );
        assert_eq!(kinds(Revision::V2025_03_26), ["text", "audio", "text"]);
        assert_eq!(kinds(Revision::V2024_11_05), ["text", "text", "text"]);
        let lowered = result(Revision::V2025_03_26, "tools/call", today());
        assert_eq!(lowered["content"][0]["text"], "vault://a");
    }

    #[test]
    fn a_tool_is_listed_with_what_its_revision_has() {
        let today = || {
            json!({"tools": [{"name": "t", "title": "T", "icons": [], "annotations": {},
                "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}}]})
        };
        let members = |revision| -> Vec<String> {
            let lowered = result(revision, "tools/list", today());
            lowered["tools"][0]
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect()
        };
        let has = |revision, name: &str| members(revision).iter().any(|member| member == name);
        assert!(has(Revision::V2025_11_25, "icons") && !has(Revision::V2025_06_18, "icons"));
        assert!(has(Revision::V2025_06_18, "title") && !has(Revision::V2025_03_26, "title"));
        assert!(has(Revision::V2025_03_26, "annotations"));
        assert!(!has(Revision::V2024_11_05, "annotations"));
        assert!(!has(Revision::V2025_11_25, "outputSchema"));
    }

    #[test]
    fn codes_of_later_revisions_never_appear() {
        let missing = json!({"code": -32021, "message": "the client lacks it",
            "data": {"requiredCapabilities": {"elicitation": {"form": {}}}}});
        let error = |method, modern| error(Revision::V2025_11_25, method, modern);
        let said = error("tools/call", &missing).unwrap();
        assert_eq!(said["isError"], true);
        assert_eq!(
            said["content"][0]["text"],
            r#"the client lacks it: {"elicitation":{"form":{}}}"#
        );
        assert_eq!(error("prompts/get", &missing).unwrap_err().0, -32603);
        let gone = json!({"code": -32602, "message": "no", "data": {"uri": "vault://x"}});
        assert_eq!(error("resources/read", &gone).unwrap_err().0, -32002);
        assert_eq!(error("tools/call", &gone).unwrap_err().0, -32602);
    }

    #[test]
    fn a_client_whose_revision_lacks_something_is_told_which_has_it() {
        let said = |revision, needed: Value| missing(revision, "it lacks something", &needed);
        let form = || json!({"elicitation": {"form": {}}});
        assert_eq!(
            said(Revision::V2025_03_26, form()),
            r#"it lacks something: {"elicitation":{"form":{}}}; revision 2025-03-26 of the protocol, which it speaks, has no such thing, and 2025-06-18 has"#
        );
        assert!(!said(Revision::V2025_06_18, form()).contains("revision"));
        for newer in [
            json!({"elicitation": {"url": {}}}),
            json!({"sampling": {"tools": {}}}),
        ] {
            let words = said(Revision::V2025_06_18, newer.clone());
            assert!(words.ends_with("2025-11-25 has"), "{words}");
            assert!(!said(Revision::V2025_11_25, newer).contains("revision"));
        }
        let old = json!({"sampling": {}, "roots": {}});
        assert!(!said(Revision::V2024_11_05, old).contains("revision"));
    }
}
