//! The readable form of a state: canonical JSON, for tokens that are signed and not encrypted.

use std::borrow::Cow;
use std::fmt::Write;

use super::{
    Action, Asked, Entry, FlowState, Kind, Memo, QuestionDigest, Root, SealedAnswer, StateError,
    in_order,
};
use crate::json::{Json, Value, View, write_string};
use crate::key::AskKey;

/// Members of a record, in a list, in the state.
const DEPTH: usize = 3;

impl FlowState {
    /// Writes the state as canonical JSON.
    ///
    /// Contents and memos stand in it as strings that hold JSON, so that they come back byte for
    /// byte: a float read from another spelling could be another float.
    #[must_use]
    pub fn to_json(&self) -> String {
        let start = self.start.min(super::binary::MAX_START);
        let mut out = String::from("{\"asked\":");
        write_list(&mut out, &in_order(&self.asked), write_asked);
        out.push_str(",\"entries\":");
        write_list(&mut out, &in_order(&self.entries), write_entry);
        put(&mut out, ",\"flowEnd\":", self.flow_end.max(start));
        out.push_str(",\"memos\":");
        write_list(&mut out, &in_order(&self.memos), write_memo);
        put(&mut out, ",\"root\":\"", hex(&self.root.0));
        put(&mut out, "\",\"round\":", self.round);
        put(&mut out, ",\"roundEnd\":", self.round_end.max(start));
        put(&mut out, ",\"start\":", start);
        out.push('}');
        out
    }

    /// Reads a state from its canonical JSON.
    ///
    /// # Errors
    /// The text is not exactly what [`FlowState::to_json`] writes.
    pub fn from_json(text: &str) -> Result<Self, StateError> {
        let json = Json::parse(text, DEPTH).map_err(|_| StateError::Readable)?;
        let json = json.root();
        let state = FlowState {
            root: Root(bytes16(json, "root")?),
            start: number(json, "start")?,
            round: number(json, "round")?,
            round_end: number(json, "roundEnd")?,
            flow_end: number(json, "flowEnd")?,
            asked: list(json, "asked", read_asked)?,
            entries: list(json, "entries", read_entry)?,
            memos: list(json, "memos", read_memo)?,
        };
        // Writing it again finds unknown members, blanks, disorder and other spellings at once.
        if state.round > 0 && state.to_json() == text {
            Ok(state)
        } else {
            Err(StateError::Readable)
        }
    }
}

fn put(out: &mut String, before: &str, value: impl std::fmt::Display) {
    write!(out, "{before}{value}").expect("invariant: writing to a String cannot fail");
}

fn write_list<T>(out: &mut String, records: &[T], write: fn(&mut String, &T)) {
    out.push('[');
    for (at, record) in records.iter().enumerate() {
        out.push_str(if at == 0 { "{" } else { ",{" });
        write(out, record);
        out.push('}');
    }
    out.push(']');
}

fn write_asked(out: &mut String, asked: &Asked) {
    let counted = |count: u8| count.min(super::MAX_COUNTED);
    put(out, "\"changes\":", counted(asked.changes));
    put(out, ",\"key\":\"", &asked.key);
    put(out, "\",\"kind\":\"", asked.kind.as_str());
    put(out, "\",\"question\":\"", hex(&asked.question.0));
    put(out, "\",\"tries\":", counted(asked.tries));
}

fn write_entry(out: &mut String, entry: &Entry) {
    put(out, "\"action\":\"", entry.answer.action.as_str());
    out.push('"');
    if let Some(content) = entry.answer.accepted() {
        out.push_str(",\"content\":");
        write_string(content, out);
    }
    put(out, ",\"key\":\"", &entry.key);
    put(out, "\",\"kind\":\"", entry.answer.kind.as_str());
    put(out, "\",\"question\":\"", hex(&entry.question.0));
    put(out, "\",\"round\":", entry.asked_round);
}

fn write_memo(out: &mut String, memo: &Memo) {
    put(out, "\"key\":\"", &memo.key);
    put(out, "\",\"run\":", memo.run);
    out.push_str(",\"value\":");
    write_string(&memo.value, out);
}

fn read_asked(json: Value<'_>) -> Result<Asked, StateError> {
    Ok(Asked {
        key: key(json)?,
        question: QuestionDigest(bytes16(json, "question")?),
        kind: named(json, "kind", &Kind::ALL, Kind::as_str)?,
        tries: number(json, "tries")?,
        changes: number(json, "changes")?,
    })
}

fn read_entry(json: Value<'_>) -> Result<Entry, StateError> {
    let content = json.get("content").map(|_| text(json, "content"));
    Ok(Entry {
        key: key(json)?,
        question: QuestionDigest(bytes16(json, "question")?),
        asked_round: number(json, "round")?,
        answer: SealedAnswer {
            kind: named(json, "kind", &Kind::ALL, Kind::as_str)?,
            action: named(json, "action", &Action::ALL, Action::as_str)?,
            content: content.transpose()?.map(Into::into),
        },
    })
}

fn read_memo(json: Value<'_>) -> Result<Memo, StateError> {
    Ok(Memo {
        key: key(json)?,
        run: number(json, "run")?,
        value: text(json, "value")?.into(),
    })
}

fn list<T>(
    json: Value<'_>,
    name: &str,
    read: fn(Value<'_>) -> Result<T, StateError>,
) -> Result<Vec<T>, StateError> {
    let items = json.get(name).and_then(Value::as_array);
    items.ok_or(StateError::Readable)?.map(read).collect()
}

fn text<'j>(json: Value<'j>, name: &str) -> Result<Cow<'j, str>, StateError> {
    json.get(name)
        .and_then(Value::as_str)
        .ok_or(StateError::Readable)
}

fn key(json: Value<'_>) -> Result<AskKey, StateError> {
    AskKey::new(text(json, "key")?.into_owned()).map_err(|_| StateError::Readable)
}

fn number<N: std::str::FromStr>(json: Value<'_>, name: &str) -> Result<N, StateError> {
    match json.get(name).map(Value::view) {
        Some(View::Number(digits)) => digits.parse().map_err(|_| StateError::Readable),
        _ => Err(StateError::Readable),
    }
}

fn named<T: Copy>(
    json: Value<'_>,
    name: &str,
    all: &[T],
    as_str: fn(T) -> &'static str,
) -> Result<T, StateError> {
    let text = text(json, name)?;
    let found = all.iter().find(|one| as_str(**one) == text);
    found.copied().ok_or(StateError::Readable)
}

fn bytes16(json: Value<'_>, name: &str) -> Result<[u8; 16], StateError> {
    let text = text(json, name)?;
    // Longer, signed or upper-case texts are found when the state is written again.
    let number = u128::from_str_radix(&text, 16).map_err(|_| StateError::Readable)?;
    Ok(number.to_be_bytes())
}

fn hex(bytes: &[u8; 16]) -> String {
    format!("{:032x}", u128::from_be_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{answered, any_state, one_question};
    use super::*;
    use crate::json::canonical_text;
    use proptest::prelude::*;

    #[test]
    fn can_be_read() {
        let mut state = one_question();
        state.entries = vec![answered("seat", r#"{"row":7}"#)];
        state.memos = vec![Memo {
            key: AskKey::new("price").unwrap(),
            run: 1,
            value: "1.50".into(),
        }];
        let question = "09".repeat(16);
        let entry = "03".repeat(16);
        let root = "07".repeat(16);
        let expected = format!(
            concat!(
                r#"{{"asked":[{{"changes":0,"key":"who","kind":"form","question":"{}","tries":0}}],"#,
                r#""entries":[{{"action":"accept","content":"{{\"row\":7}}","key":"seat","kind":"form","#,
                r#""question":"{}","round":1}}],"flowEnd":1780003600000,"#,
                r#""memos":[{{"key":"price","run":1,"value":"1.50"}}],"#,
                r#""root":"{}","round":1,"roundEnd":1780000600000,"start":1780000000000}}"#
            ),
            question, entry, root
        );
        assert_eq!(state.to_json(), expected);
    }

    #[test]
    fn takes_no_other_form() {
        let good = one_question().to_json();
        assert!(FlowState::from_json(&good).is_ok());
        for (from, to) in [
            ("{\"asked", "{ \"asked"),
            ("\"round\":1,", "\"round\":1.0,"),
            ("\"round\":1,", "\"round\":0,"),
            ("\"round\":1,", "\"round\":256,"),
            ("\"round\":1,", ""),
            ("\"start\":", "\"stray\":0,\"start\":"),
            ("\"tries\":0", "\"tries\":8"),
            ("\"tries\":0", "\"tries\":-0"),
            ("\"form\"", "\"poll\""),
            ("\"who\"", "\"w o\""),
            ("\"root\":\"0", "\"root\":\"+"),
            ("\"root\":\"07", "\"root\":\"7"),
            ("0909", "090G"),
            ("\"start\":1780000000000", "\"start\":281474976710656"),
        ] {
            let bad = good.replacen(from, to, 1);
            assert_ne!(bad, good, "{from}");
            assert_eq!(
                FlowState::from_json(&bad),
                Err(StateError::Readable),
                "{to}"
            );
        }
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(state in any_state()) {
            let text = state.to_json();
            prop_assert_eq!(canonical_text(&text, DEPTH), Ok(text.clone()));
            prop_assert_eq!(FlowState::from_json(&text), Ok(state));
        }
    }
}
