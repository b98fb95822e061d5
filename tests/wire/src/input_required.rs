//! What an `input_required` result may be.
//!
//! Source: MCP 2026-07-28, basic/patterns/mrtr, and client/elicitation, client/sampling, client/roots.

use serde_json::Value;

use crate::Faults;
use crate::form::form_faults;
use crate::judge::only;

/// The only requests that a server may answer with questions.
const ASKING_METHODS: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];

/// The longest state that a client has to carry, in characters.
const STATE_LIMIT: usize = 16 * 1024;

/// The longest message of a question, in bytes.
const MESSAGE_LIMIT: usize = 4 * 1024 + 512;

pub(crate) fn input_required_faults(request: &Value, result: &Value, faults: &mut Faults) {
    only(
        result,
        &["resultType", "inputRequests", "requestState", "_meta"],
        faults,
    );
    let method = request["method"].as_str().unwrap_or_default();
    if !ASKING_METHODS.contains(&method) {
        faults.push(format!("`{method}` cannot be answered with questions"));
    }
    if result.get("inputRequests").is_none() && result.get("requestState").is_none() {
        faults.push("neither `inputRequests` nor `requestState`".to_owned());
    }
    if let Some(state) = result.get("requestState") {
        state_faults(state, faults);
    }
    if let Some(questions) = result.get("inputRequests") {
        questions_faults(request, questions, faults);
    }
}

fn state_faults(state: &Value, faults: &mut Faults) {
    let Some(text) = state.as_str() else {
        faults.push("`requestState` is not a string".to_owned());
        return;
    };
    if text.is_empty() || text.len() > STATE_LIMIT {
        faults.push(format!("a `requestState` of {} characters", text.len()));
    }
    if text.contains(|c: char| c.is_control()) {
        faults.push("a `requestState` with control characters".to_owned());
    }
}

fn questions_faults(request: &Value, questions: &Value, faults: &mut Faults) {
    let Some(questions) = questions
        .as_object()
        .filter(|questions| !questions.is_empty())
    else {
        faults.push("`inputRequests` is not an object with at least one question".to_owned());
        return;
    };
    for (key, question) in questions {
        if !is_key(key) {
            faults.push(format!(
                "the key `{key}` is not of `[A-Za-z0-9._-]{{1,64}}`"
            ));
        }
        let mut found = Faults::new();
        question_faults(&request["params"]["_meta"], question, &mut found);
        faults.extend(
            found
                .into_iter()
                .map(|fault| format!("question `{key}`: {fault}")),
        );
    }
}

fn is_key(key: &str) -> bool {
    (1..=64).contains(&key.len())
        && key
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

fn question_faults(meta: &Value, question: &Value, faults: &mut Faults) {
    only(question, &["method", "params"], faults);
    let params = &question["params"];
    if !params.is_object() {
        faults.push("`params` is not an object".to_owned());
    }
    let declared = &meta["io.modelcontextprotocol/clientCapabilities"];
    match question["method"].as_str() {
        Some("elicitation/create") => elicitation_faults(&declared["elicitation"], params, faults),
        Some("sampling/createMessage") => {
            if !declared["sampling"].is_object() {
                faults.push("the client did not declare `sampling`".to_owned());
            }
            if !(params["messages"].is_array() && params["maxTokens"].is_u64()) {
                faults.push("sampling has `messages` and `maxTokens`".to_owned());
            }
        }
        Some("roots/list") if declared["roots"].is_object() => {}
        Some("roots/list") => faults.push("the client did not declare `roots`".to_owned()),
        _ => faults.push("a kind of question that this revision does not have".to_owned()),
    }
}

fn elicitation_faults(declared: &Value, params: &Value, faults: &mut Faults) {
    match params["message"].as_str() {
        Some(text) if !text.trim().is_empty() => message_faults(text, faults),
        _ => faults.push("a question without `message`".to_owned()),
    }
    if params.get("elicitationId").is_some() {
        faults.push("`elicitationId` is gone in this revision".to_owned());
    }
    match params.get("mode").and_then(Value::as_str) {
        Some("form") | None => {
            only(
                params,
                &["mode", "message", "requestedSchema", "_meta"],
                faults,
            );
            // An empty `elicitation` object means forms.
            let forms = declared
                .as_object()
                .is_some_and(|modes| modes.is_empty() || modes.contains_key("form"));
            if !forms {
                faults.push("the client did not declare `elicitation.form`".to_owned());
            }
            faults.extend(form_faults(&params["requestedSchema"]));
        }
        Some("url") => {
            only(params, &["mode", "message", "url", "_meta"], faults);
            if !declared["url"].is_object() {
                faults.push("the client did not declare `elicitation.url`".to_owned());
            }
            let url = params["url"].as_str().unwrap_or_default();
            if !url.starts_with("https://") || url.contains('@') {
                faults.push("a URL that a careful client refuses".to_owned());
            }
        }
        Some(mode) => faults.push(format!("no such mode: `{mode}`")),
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
