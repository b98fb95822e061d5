//! Variations of what a request brings: none of them is what the server gave out.

use serde_json::{Value, json};

/// The arguments with one member changed, for each member; with one added, if there is none.
pub(super) fn arguments(arguments: &Value) -> Vec<Value> {
    let members = arguments.as_object().into_iter().flatten();
    let mut changed: Vec<Value> = members
        .map(|(name, value)| {
            let mut changed = arguments.clone();
            changed[name] = other(value);
            changed
        })
        .collect();
    if changed.is_empty() {
        changed.push(json!({ "more": 1 }));
    }
    changed
}

/// Another value of the same kind.
fn other(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(format!("{text}x")),
        Value::Bool(value) => json!(!value),
        Value::Number(number) => match number.as_i64() {
            Some(number) => json!(number.wrapping_add(1)),
            None => json!(1),
        },
        Value::Null => json!(0),
        Value::Array(items) => json!([items.as_slice(), &[Value::Null]].concat()),
        Value::Object(members) => {
            let mut members = members.clone();
            members.insert("more".into(), json!(1));
            Value::Object(members)
        }
    }
}

/// The state with one character changed, for each character.
pub(super) fn flipped(state: &str) -> impl Iterator<Item = String> {
    state.char_indices().map(move |(at, character)| {
        let flipped = if character == 'A' { 'B' } else { 'A' };
        let after = at + character.len_utf8();
        format!("{}{flipped}{}", &state[..at], &state[after..])
    })
}

/// The state without its end, for each length but the whole.
pub(super) fn truncated(state: &str) -> impl Iterator<Item = String> {
    state
        .char_indices()
        .map(move |(at, _)| state[..at].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_variation_is_another_one() {
        let given = json!({ "a": "x", "b": true, "c": 1, "d": [1], "e": {}, "f": null, "g": 1.5 });
        let changed = arguments(&given);
        assert_eq!(changed.len(), 7);
        assert!(changed.iter().all(|changed| *changed != given));
        assert_eq!(arguments(&json!({})), [json!({ "more": 1 })]);
        assert_eq!(flipped("AbA").collect::<Vec<_>>(), ["BbA", "AAA", "AbB"]);
        assert_eq!(truncated("abc").collect::<Vec<_>>(), ["", "a", "ab"]);
    }
}
