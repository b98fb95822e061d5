//! What an `input_required` result may be.
//!
//! Source: MCP 2026-07-28, basic/patterns/mrtr.

use serde_json::Value;

use crate::members::only;
use crate::question::question_faults;
use crate::{Faults, Revision};

/// The only requests that a server may answer with questions.
const ASKING_METHODS: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];

/// The longest state that a client has to carry, in characters.
const STATE_LIMIT: usize = 16 * 1024;

/// Judges the questions that a request of this method and `_meta` was answered with.
pub(crate) fn input_required_faults(
    method: &str,
    meta: &Value,
    result: &Value,
    faults: &mut Faults,
) {
    only(
        result,
        &["resultType", "inputRequests", "requestState", "_meta"],
        faults,
    );
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
        questions_faults(meta, questions, faults);
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

fn questions_faults(meta: &Value, questions: &Value, faults: &mut Faults) {
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
        only(question, &["method", "params"], &mut found);
        if !question["params"].is_object() {
            found.push("`params` is not an object".to_owned());
        }
        let declared = &meta["io.modelcontextprotocol/clientCapabilities"];
        question_faults(Revision::V2026_07_28, declared, question, &mut found);
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
