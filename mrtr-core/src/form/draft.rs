//! Drafts: what a form is filled in with before the user corrects it.
//!
//! A draft is published as the default of its field. It never stands for an answer that is
//! missing: a user who empties an optional field means it, and a yes that is filled in is none.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::VALUE;
use super::check::check_default;
use super::field::Kind;
use super::schema::FormSchema;

impl FormSchema {
    /// The same form filled in with a value: an object by field name, or the value of the one
    /// field of a scalar form. What does not fit its field is left out.
    #[must_use]
    pub fn drafted(&self, json: &str) -> Self {
        let alone = BTreeMap::from([(VALUE.to_owned(), json)]);
        let members = match serde_json::from_str::<BTreeMap<String, &RawValue>>(json) {
            Ok(members) => members
                .into_iter()
                .map(|(name, value)| (name, value.get()))
                .collect(),
            Err(_) => alone,
        };
        let fields = self.fields().iter().cloned().map(|mut field| {
            let member = members.get(&field.name);
            let fits = |json: &&str| check_default(&field.kind, &in_texts(&field.kind, json)).ok();
            if let Some(draft) = member.and_then(fits) {
                field.draft = Some(draft);
            }
            field
        });
        Self::of_checked(fields.collect())
    }
}

/// Choices are texts on the wire, also where the author's values are numbers.
fn in_texts<'a>(kind: &Kind, json: &'a str) -> Cow<'a, str> {
    let is_text = json.starts_with('"');
    match kind {
        Kind::One { .. } if !is_text => Cow::Owned(format!("\"{json}\"")),
        Kind::Many { .. } => match serde_json::from_str::<Vec<&RawValue>>(json) {
            Ok(items) => {
                let one = Kind::One {
                    choices: Vec::new(),
                    enum_names: false,
                };
                let items: Vec<_> = items
                    .iter()
                    .map(|item| in_texts(&one, item.get()))
                    .collect();
                Cow::Owned(format!("[{}]", items.join(",")))
            }
            Err(_) => Cow::Borrowed(json),
        },
        _ => Cow::Borrowed(json),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Field;

    fn form() -> FormSchema {
        FormSchema::new([
            Field::text("name").length(1..=5),
            Field::integer("age", 0..=9).or(1),
            Field::text("note").optional(),
        ])
        .expect("a form")
    }

    #[test]
    fn a_draft_is_shown_and_stands_for_nothing() {
        let drafted = form().drafted(r#"{"name":"Ada","age":7,"note":"x","else":1}"#);
        assert_eq!(
            drafted.requested_schema(),
            r#"{"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":5,"default":"Ada"},"age":{"type":"integer","minimum":0,"maximum":9,"default":7},"note":{"type":"string","default":"x"}},"required":["name"]}"#
        );
        assert_eq!(drafted.digest_input(), form().digest_input());
        assert!(drafted.read(Some("{}")).is_err());
        assert_eq!(
            drafted.read(Some(r#"{"name":"Eve"}"#)).as_deref(),
            Ok(r#"{"name":"Eve","age":1}"#)
        );
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let drafted = form().drafted(r#"{"name":"Augusta","age":null,"note":"a\u200bb"}"#);
        assert_eq!(drafted.requested_schema(), form().requested_schema());
        let one = FormSchema::new([Field::text(VALUE)]).expect("a form");
        assert!(
            one.drafted(r#""Ada""#)
                .requested_schema()
                .contains(r#""default":"Ada""#)
        );
        assert_eq!(one.drafted("7"), one);
    }
}
