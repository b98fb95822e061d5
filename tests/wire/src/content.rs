//! What the final result of a tool may hold.

use serde_json::Value;

use crate::Faults;
use crate::judge::only;

/// Judges a complete result; `output` is the tool's published output schema.
pub(crate) fn tool_result_faults(result: &Value, output: Option<&Value>, faults: &mut Faults) {
    only(
        result,
        &[
            "resultType",
            "content",
            "structuredContent",
            "isError",
            "_meta",
        ],
        faults,
    );
    if result.get("isError").is_some_and(|flag| !flag.is_boolean()) {
        faults.push("`isError` is not a boolean".to_owned());
    }
    match result["content"].as_array() {
        None => faults.push("a complete result without `content`".to_owned()),
        Some(blocks) => blocks.iter().for_each(|block| block_faults(block, faults)),
    }
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
        _ => {}
    }
}

fn block_faults(block: &Value, faults: &mut Faults) {
    let needed: &[&str] = match block["type"].as_str() {
        Some("text") => &["text"],
        Some("image" | "audio") => &["data", "mimeType"],
        Some("resource_link") => &["uri", "name"],
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
