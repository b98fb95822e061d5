//! Reading one member of `inputResponses` into the form in which the state carries it.

use crate::json::{Json, Value, canonical};
use crate::limits::Limits;
use crate::state::{Action, Kind, SealedAnswer};

/// What a client sent for a question.
#[derive(Debug, Clone, Copy)]
pub enum Given<'a> {
    /// A value that was read with what stands around it.
    Read(Value<'a>),
    /// JSON text.
    Text(&'a str),
}

impl<'a> Given<'a> {
    /// It as JSON text.
    #[must_use]
    pub fn text(self) -> &'a str {
        match self {
            Self::Read(value) => value.raw(),
            Self::Text(text) => text,
        }
    }
}

impl<'a> From<Value<'a>> for Given<'a> {
    fn from(value: Value<'a>) -> Self {
        Self::Read(value)
    }
}

impl<'a> From<&'a str> for Given<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

/// Reads what a client sent for a question of this kind; `None` when it is no answer at all.
///
/// Something that is no answer (a number, `null`, an unknown action, a roots list for a form) is
/// passed over as if it had not been sent, so that it costs no try. What was asked decides how it
/// is read, never its shape.
#[must_use]
pub fn read_answer<'a>(
    kind: Kind,
    given: impl Into<Given<'a>>,
    limits: &Limits,
) -> Option<SealedAnswer> {
    let given = given.into();
    if given.text().len() > limits.answer_size(kind) {
        return None;
    }
    // The envelope is one level above the content.
    let depth = limits.answer_depth + 1;
    match given {
        Given::Read(answer) => {
            answer.check(depth).ok()?;
            read(kind, answer)
        }
        Given::Text(text) => read(kind, Json::parse(text, depth).ok()?.root()),
    }
}

fn read(kind: Kind, answer: Value<'_>) -> Option<SealedAnswer> {
    if !answer.is_object() {
        return None;
    }
    match kind {
        Kind::Form | Kind::Url => elicited(kind, answer),
        Kind::Sampling => carried(kind, answer, &["role", "content", "model"]),
        Kind::Roots => carried(kind, answer, &["roots"]),
    }
}

/// An `ElicitResult`: the content counts only when a form was accepted.
fn elicited(kind: Kind, answer: Value<'_>) -> Option<SealedAnswer> {
    let action = match &*answer.get("action")?.as_str()? {
        "accept" => Action::Accept,
        "decline" => Action::Decline,
        "cancel" => Action::Cancel,
        _ => return None,
    };
    let content = match answer.get("content") {
        None => None,
        Some(content) if content.is_null() => None,
        Some(_) if kind != Kind::Form || action != Action::Accept => None,
        Some(content) => Some(canonical(content).into_boxed_str()),
    };
    Some(SealedAnswer {
        kind,
        action,
        content,
    })
}

/// A result that is its own content: it has these members and nothing says no.
fn carried(kind: Kind, answer: Value<'_>, members: &[&str]) -> Option<SealedAnswer> {
    if members.iter().any(|name| answer.get(name).is_none()) {
        return None;
    }
    Some(SealedAnswer {
        kind,
        action: Action::Accept,
        content: Some(canonical(answer).into_boxed_str()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Option<(Action, Option<String>)> {
        read_answer(Kind::Form, text, &Limits::default())
            .map(|answer| (answer.action, answer.content.map(String::from)))
    }

    #[test]
    fn an_envelope_is_told_from_its_content() {
        let some = |text: &str| Some(text.to_owned());
        let cases = [
            (
                r#"{"action":"accept","content":{"b":1,"a":2.0}}"#,
                Some((Action::Accept, some(r#"{"a":2,"b":1}"#))),
            ),
            (r#"{"action":"accept"}"#, Some((Action::Accept, None))),
            (
                r#"{"action":"accept","content":null}"#,
                Some((Action::Accept, None)),
            ),
            (
                r#"{"action":"accept","content":[1]}"#,
                Some((Action::Accept, some("[1]"))),
            ),
            (
                r#"{"action":"decline","content":{"x":1}}"#,
                Some((Action::Decline, None)),
            ),
            (
                r#"{"action":"cancel","content":null}"#,
                Some((Action::Cancel, None)),
            ),
            (
                r#"{"action":"accept","roots":[]}"#,
                Some((Action::Accept, None)),
            ),
            (r#"{"roots":[]}"#, None),
            (r#"{"action":"perhaps"}"#, None),
            (r#"{"action":true}"#, None),
            (r#"{"action":"accept","action":"decline"}"#, None),
            ("{}", None),
            ("null", None),
            ("12345", None),
            (r#""yes""#, None),
            ("[]", None),
            ("{", None),
        ];
        for (text, expected) in cases {
            assert_eq!(form(text), expected, "{text}");
            // It is the same when it was read with what stands around it.
            let whole = format!("[{text}]");
            let Ok(json) = Json::scan(&whole) else {
                continue;
            };
            let mut items = json.root().as_array().expect("an array");
            let answer = items.next().expect("an item");
            let answer = read_answer(Kind::Form, answer, &Limits::default());
            let found = answer.map(|answer| (answer.action, answer.content.map(String::from)));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn an_answer_beyond_the_limits_is_no_answer() {
        let long = format!(
            r#"{{"action":"accept","content":{{"a":"{}"}}}}"#,
            "x".repeat(20_000)
        );
        assert_eq!(form(&long), None);
        let deep = format!(
            r#"{{"action":"accept","content":{}1{}}}"#,
            "[".repeat(20),
            "]".repeat(20)
        );
        assert_eq!(form(&deep), None);
    }

    #[test]
    fn roots_are_read_as_roots_whatever_else_they_say() {
        let read = |text| read_answer(Kind::Roots, text, &Limits::default());
        assert!(read(r#"{"roots":[],"action":"decline"}"#).is_some());
        assert!(read(r#"{"action":"accept"}"#).is_none());
    }
}
