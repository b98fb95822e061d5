//! Laws of reading, tried on answers of any shape.

use proptest::prelude::*;

use crate::form::{Field, FormSchema, Format};

fn form(fields: impl IntoIterator<Item = Field>) -> FormSchema {
    FormSchema::new(fields).expect("a form that can be sent")
}

/// Reads `{"f": answer}`; none if it is refused.
fn read(field: Field, answer: &str) -> Option<String> {
    let content = form([field])
        .read(Some(&format!("{{\"f\":{answer}}}")))
        .ok()?;
    Some(content["{\"f\":".len()..content.len() - 1].to_owned())
}

/// Any JSON value up to a small depth, as text.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|flag| flag.to_string()),
        any::<i64>().prop_map(|number| number.to_string()),
        (-200i64..200).prop_map(|number| format!("{number}.0")),
        any::<f64>()
            .prop_filter("finite", |number| number.is_finite())
            .prop_map(|number| format!("{number:e}")),
        any::<String>().prop_map(|text| serde_json::json!(text).to_string()),
        prop_oneof![
            Just("w"),
            Just("a"),
            Just("a@example.com"),
            Just("2026-07-28")
        ]
        .prop_map(|text| format!("\"{text}\"")),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(","))),
            inner.prop_map(|value| format!("{{\"x\":{value}}}")),
        ]
    })
}

fn every_kind() -> FormSchema {
    form([
        Field::text("text").length(0..=8),
        Field::formatted("email", Format::Email).optional(),
        Field::integer("integer", -100..=100),
        Field::number("number", -1e9..=f64::INFINITY).or(1.5),
        Field::boolean("boolean").optional(),
        Field::choice("one", [("w", "W"), ("a", "A")]).or("w"),
        Field::choices("many", [("w", "W"), ("a", "A")], 0..=2).optional(),
    ])
}

proptest! {
    #[test]
    fn reading_is_idempotent(values in prop::collection::vec(prop::option::of(json()), 7)) {
        let form = every_kind();
        let names = form.fields().iter().map(Field::name);
        let members: Vec<String> = names
            .zip(values)
            .filter_map(|(name, value)| Some(format!("\"{name}\":{}", value?)))
            .collect();
        if let Ok(normal) = form.read(Some(&format!("{{{}}}", members.join(",")))) {
            prop_assert_eq!(form.read(Some(&normal)), Ok(normal.clone()));
        }
    }

    #[test]
    fn whole_numbers_survive(number in any::<i64>()) {
        let field = Field::integer("f", i64::MIN..=i64::MAX);
        let text = number.to_string();
        prop_assert_eq!(read(field.clone(), &text), Some(text.clone()));
        prop_assert_eq!(read(field, &format!("{text}.0")), Some(text));
    }

    #[test]
    fn numbers_survive(number in any::<f64>().prop_filter("finite", |number| number.is_finite())) {
        let field = Field::number("f", f64::NEG_INFINITY..=f64::INFINITY);
        let normal = read(field, &format!("{number:e}")).expect("a number");
        prop_assert_eq!(normal.parse::<f64>(), Ok(number + 0.0));
    }

    #[test]
    fn any_text_is_an_answer_or_refused(content in any::<String>()) {
        let _ = every_kind().read(Some(&content));
    }
}
