//! What the final result of a tool, a prompt or a resource may hold.

use serde_json::Value;

use crate::list::cache_faults;
use crate::members::{Members, only};
use crate::{Faults, Revision};

use Revision::{V2025_03_26, V2025_06_18, V2026_07_28};

const TOOL_RESULT: Members = Members {
    first: &["content", "isError", "_meta"],
    later: &[
        (V2025_06_18, "structuredContent"),
        (V2026_07_28, "resultType"),
    ],
};

const PROMPT_RESULT: Members = Members {
    first: &["description", "messages", "_meta"],
    later: &[(V2026_07_28, "resultType")],
};

const READ_RESULT: Members = Members {
    first: &["contents", "_meta"],
    later: &[
        (V2026_07_28, "resultType"),
        (V2026_07_28, "ttlMs"),
        (V2026_07_28, "cacheScope"),
    ],
};

/// Judges a complete result; `output` is the tool's published output schema.
pub(crate) fn tool_result_faults(
    revision: Revision,
    result: &Value,
    output: Option<&Value>,
    faults: &mut Faults,
) {
    TOOL_RESULT.judge(revision, result, faults);
    if result.get("isError").is_some_and(|flag| !flag.is_boolean()) {
        faults.push("`isError` is not a boolean".to_owned());
    }
    match result["content"].as_array() {
        None => faults.push("a complete result without `content`".to_owned()),
        Some(blocks) => blocks
            .iter()
            .for_each(|block| block_faults(revision, block, faults)),
    }
    structure_faults(revision, result, output, faults);
}

fn structure_faults(
    revision: Revision,
    result: &Value,
    output: Option<&Value>,
    faults: &mut Faults,
) {
    let failed = result["isError"] == true;
    match (output, result.get("structuredContent")) {
        (Some(_), None) if !failed => {
            faults.push(
                "`structuredContent` is missing although the tool has an `outputSchema`".to_owned(),
            );
        }
        (Some(schema), Some(structured))
            if !jsonschema::draft202012::is_valid(schema, structured) =>
        {
            faults.push("`structuredContent` does not fit the tool's `outputSchema`".to_owned());
        }
        (_, Some(structured)) if !revision.is_modern() && !structured.is_object() => {
            faults.push("`structuredContent` is not an object".to_owned());
        }
        _ => {}
    }
}

/// Judges the messages of a prompt.
pub(crate) fn prompt_result_faults(revision: Revision, result: &Value, faults: &mut Faults) {
    PROMPT_RESULT.judge(revision, result, faults);
    let Some(messages) = result["messages"].as_array() else {
        faults.push("a prompt without `messages`".to_owned());
        return;
    };
    for message in messages {
        only(message, &["role", "content"], faults);
        if !matches!(message["role"].as_str(), Some("user" | "assistant")) {
            faults.push("a message of neither the user nor the assistant".to_owned());
        }
        block_faults(revision, &message["content"], faults);
    }
}

/// Judges what a resource holds.
pub(crate) fn read_result_faults(revision: Revision, result: &Value, faults: &mut Faults) {
    READ_RESULT.judge(revision, result, faults);
    cache_faults(revision, result, faults);
    let Some(contents) = result["contents"].as_array() else {
        faults.push("a resource without `contents`".to_owned());
        return;
    };
    for part in contents {
        only(part, &["uri", "mimeType", "text", "blob", "_meta"], faults);
        if !part["uri"].is_string() {
            faults.push("contents without `uri`".to_owned());
        }
        if part["text"].is_string() == part["blob"].is_string() {
            faults.push("contents are either `text` or `blob`".to_owned());
        }
    }
}

fn block_faults(revision: Revision, block: &Value, faults: &mut Faults) {
    let needed: &[&str] = match block["type"].as_str() {
        Some("text") => &["text"],
        Some("image") => &["data", "mimeType"],
        Some("audio") if revision >= V2025_03_26 => &["data", "mimeType"],
        Some("resource_link") if revision >= V2025_06_18 => &["uri", "name"],
        Some("resource") => {
            if !block["resource"]["uri"].is_string() {
                faults.push("an embedded resource without `uri`".to_owned());
            }
            &[]
        }
        _ => {
            faults.push("a content block of no known type".to_owned());
            &[]
        }
    };
    for member in needed.iter().filter(|member| !block[**member].is_string()) {
        faults.push(format!("a content block without `{member}`"));
    }
}
