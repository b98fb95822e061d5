//! A question to the client's model as an older revision words it.
//!
//! Source: MCP 2025-06-18, schema, `SamplingMessage`: a message holds one block, which is a text, a
//! picture or, from 2025-03-26 on, a sound.

use serde_json::{Map, Value, json};

use super::revision::Revision;

/// Words the params of `sampling/createMessage` for this revision.
///
/// # Errors
/// What the revision does not have.
pub(super) fn worded(
    params: &mut Map<String, Value>,
    revision: Revision,
) -> Result<(), &'static str> {
    let Some(Value::Array(messages)) = params.get_mut("messages") else {
        return Ok(());
    };
    if revision >= Revision::V2025_11_25 {
        messages.iter_mut().for_each(unwrap_single);
        return Ok(());
    }
    let mut singles = Vec::new();
    for message in messages.drain(..) {
        let role = &message["role"];
        for block in blocks(&message["content"]) {
            check(block, revision)?;
            singles.push(json!({"role": role, "content": block}));
        }
    }
    *messages = singles;
    Ok(())
}

/// Clients that know no tools may know no lists of blocks, in 2025-11-25 either.
fn unwrap_single(message: &mut Value) {
    if let [block] = blocks(&message["content"]) {
        message["content"] = block.clone();
    }
}

fn blocks(content: &Value) -> &[Value] {
    match content {
        Value::Array(blocks) => blocks,
        block => std::slice::from_ref(block),
    }
}

fn check(block: &Value, revision: Revision) -> Result<(), &'static str> {
    match block["type"].as_str() {
        Some("audio") if revision < Revision::V2025_03_26 => Err("sounds"),
        Some("tool_use" | "tool_result") => Err("tools in questions to the model"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        json!({"type": "text", "text": text})
    }

    fn of(revision: Revision, messages: Value) -> Result<Value, &'static str> {
        let mut params = json!({"messages": messages, "maxTokens": 9});
        let worded = worded(params.as_object_mut().unwrap(), revision);
        worded.map(|()| params["messages"].take())
    }

    #[test]
    fn a_single_block_stands_alone_in_every_revision() {
        for revision in [Revision::V2024_11_05, Revision::V2025_11_25] {
            assert_eq!(
                of(revision, json!([{"role": "user", "content": [text("Hi")]}])),
                Ok(json!([{"role": "user", "content": text("Hi")}]))
            );
        }
    }

    #[test]
    fn several_blocks_are_several_messages_before_2025_11_25() {
        let both = json!([{"role": "user", "content": [text("a"), text("b")]}]);
        assert_eq!(of(Revision::V2025_11_25, both.clone()), Ok(both.clone()));
        assert_eq!(
            of(Revision::V2025_06_18, both),
            Ok(json!([
                {"role": "user", "content": text("a")},
                {"role": "user", "content": text("b")}
            ]))
        );
    }

    #[test]
    fn what_a_revision_has_no_block_for_is_named() {
        let sound = json!([{"role": "user", "content": [{"type": "audio", "data": ""}]}]);
        assert!(of(Revision::V2025_03_26, sound.clone()).is_ok());
        assert_eq!(of(Revision::V2024_11_05, sound), Err("sounds"));
        let tool = json!([{"role": "user", "content": [{"type": "tool_result"}]}]);
        assert!(of(Revision::V2025_11_25, tool.clone()).is_ok());
        assert_eq!(
            of(Revision::V2025_06_18, tool),
            Err("tools in questions to the model")
        );
    }
}
