//! One question to the client, as an entry of a result or as a request of the server's own.
//!
//! Source: the pages client/elicitation, client/sampling and client/roots of each revision.

use serde_json::Value;

use crate::form::{form_faults, older_form_faults};
use crate::members::only;
use crate::{Faults, Revision};

/// The longest message of a question, in bytes.
const MESSAGE_LIMIT: usize = 4 * 1024 + 512;

/// Says what is wrong with `method` and `params` of a question to a client that declared this.
pub(crate) fn question_faults(
    revision: Revision,
    declared: &Value,
    question: &Value,
    faults: &mut Faults,
) {
    let params = &question["params"];
    match question["method"].as_str() {
        Some("elicitation/create") if revision >= Revision::V2025_06_18 => {
            elicitation_faults(revision, &declared["elicitation"], params, faults);
        }
        Some("sampling/createMessage") => {
            sampling_faults(revision, &declared["sampling"], params, faults);
        }
        Some("roots/list") if declared["roots"].is_object() => {}
        Some("roots/list") => faults.push("the client did not declare `roots`".to_owned()),
        _ => faults.push("a kind of question that this revision does not have".to_owned()),
    }
}

fn sampling_faults(revision: Revision, declared: &Value, params: &Value, faults: &mut Faults) {
    if !declared.is_object() {
        faults.push("the client did not declare `sampling`".to_owned());
    }
    if !(params["messages"].is_array() && params["maxTokens"].is_u64()) {
        faults.push("sampling has `messages` and `maxTokens`".to_owned());
    }
    let one = |message: &Value| message["content"].is_object();
    let messages = params["messages"].as_array();
    if revision < Revision::V2025_11_25 && !messages.into_iter().flatten().all(one) {
        faults.push("a message to the model has one block of `content`".to_owned());
    }
    let tools = params.get("tools").is_some() || params.get("toolChoice").is_some();
    if tools && (revision < Revision::V2025_11_25 || !declared["tools"].is_object()) {
        faults.push("the client did not declare `sampling.tools`".to_owned());
    }
}

fn elicitation_faults(revision: Revision, declared: &Value, params: &Value, faults: &mut Faults) {
    match params["message"].as_str() {
        Some(text) if !text.trim().is_empty() => message_faults(text, faults),
        _ => faults.push("a question without `message`".to_owned()),
    }
    if revision.is_modern() && params.get("elicitationId").is_some() {
        faults.push("`elicitationId` is gone in this revision".to_owned());
    }
    if revision < Revision::V2025_11_25 {
        older_elicitation_faults(declared, params, faults);
        return;
    }
    match params.get("mode").and_then(Value::as_str) {
        Some("form") | None => {
            let members = ["mode", "message", "requestedSchema", "_meta"];
            only(params, &members, faults);
            // An empty `elicitation` object means forms.
            let forms = declared
                .as_object()
                .is_some_and(|modes| modes.is_empty() || modes.contains_key("form"));
            if !forms {
                faults.push("the client did not declare `elicitation.form`".to_owned());
            }
            faults.extend(form_faults(&params["requestedSchema"]));
        }
        Some("url") => url_faults(revision, declared, params, faults),
        Some(mode) => faults.push(format!("no such mode: `{mode}`")),
    }
}

/// 2025-06-18 has one mode, which has no name yet.
fn older_elicitation_faults(declared: &Value, params: &Value, faults: &mut Faults) {
    only(params, &["message", "requestedSchema", "_meta"], faults);
    if !declared.is_object() {
        faults.push("the client did not declare `elicitation`".to_owned());
    }
    faults.extend(older_form_faults(&params["requestedSchema"]));
}

fn url_faults(revision: Revision, declared: &Value, params: &Value, faults: &mut Faults) {
    let mut members = vec!["mode", "message", "url", "_meta"];
    if !revision.is_modern() {
        members.push("elicitationId");
        if params["elicitationId"].as_str().is_none_or(str::is_empty) {
            faults.push("a URL question of this revision has an `elicitationId`".to_owned());
        }
    }
    only(params, &members, faults);
    if !declared["url"].is_object() {
        faults.push("the client did not declare `elicitation.url`".to_owned());
    }
    let url = params["url"].as_str().unwrap_or_default();
    if !url.starts_with("https://") || url.contains('@') {
        faults.push("a URL that a careful client refuses".to_owned());
    }
}

/// Characters that hide or reverse what a question says must have been made visible.
fn message_faults(text: &str, faults: &mut Faults) {
    let hides = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
            || matches!(c, '\u{e0000}'..='\u{e007f}')
    };
    if text.contains(hides) {
        faults.push("a message with characters that cannot be seen".to_owned());
    }
    if text.contains("\n\n\n") {
        faults.push("a message that pushes its end out of sight".to_owned());
    }
    if text.len() > MESSAGE_LIMIT {
        faults.push(format!("a message of {} bytes", text.len()));
    }
}
