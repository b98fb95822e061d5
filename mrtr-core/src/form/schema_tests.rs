//! What hand-made forms publish and what makes them impossible to send.

use std::ops::RangeInclusive;

use crate::form::{Field, FormSchema, Format};

fn property(field: Field) -> String {
    let form = FormSchema::new([field.optional()]).expect("a form that can be sent");
    let schema = form.requested_schema();
    let start = "{\"type\":\"object\",\"properties\":{\"f\":".len();
    schema[start..schema.len() - 2].to_owned()
}

fn refusal(field: Field) -> String {
    FormSchema::new([field])
        .expect_err("a form that cannot be sent")
        .to_string()
}

#[test]
fn every_kind_is_published_in_one_order() {
    let cases = [
        (Field::text("f"), r#"{"type":"string"}"#),
        (
            Field::text("f")
                .titled("T")
                .described("D")
                .length(1..=9)
                .or("x"),
            r#"{"type":"string","title":"T","description":"D","minLength":1,"maxLength":9,"default":"x"}"#,
        ),
        (
            Field::text("f").titled(" ").described(""),
            r#"{"type":"string"}"#,
        ),
        (
            Field::formatted("f", Format::DateTime),
            r#"{"type":"string","format":"date-time"}"#,
        ),
        (
            Field::integer("f", 1..=i64::MAX).or(2),
            r#"{"type":"integer","minimum":1,"default":2}"#,
        ),
        (
            Field::integer("f", -9_007_199_254_740_991..=9_007_199_254_740_992),
            r#"{"type":"integer","minimum":-9007199254740991}"#,
        ),
        (
            Field::number("f", 0.0..=2.5).or(1.0),
            r#"{"type":"number","minimum":0,"maximum":2.5,"default":1}"#,
        ),
        (
            Field::number("f", f64::NEG_INFINITY..=f64::INFINITY),
            r#"{"type":"number"}"#,
        ),
        (
            Field::boolean("f").or(false),
            r#"{"type":"boolean","default":false}"#,
        ),
        (
            Field::choice("f", [("w", "Window")]),
            r#"{"type":"string","oneOf":[{"const":"w","title":"Window"}]}"#,
        ),
        (
            Field::choices("f", [("w", "Window")], 0..=1).or(vec!["w"]),
            r#"{"type":"array","minItems":0,"maxItems":1,"items":{"anyOf":[{"const":"w","title":"Window"}]},"default":["w"]}"#,
        ),
    ];
    for (field, expected) in cases {
        assert_eq!(property(field), expected);
    }
}

#[test]
fn fields_keep_their_order() {
    let form = FormSchema::new(["zeta", "alpha", "age"].map(Field::boolean)).expect("a form");
    assert_eq!(
        form.requested_schema(),
        r#"{"type":"object","properties":{"zeta":{"type":"boolean"},"alpha":{"type":"boolean"},"age":{"type":"boolean"}},"required":["zeta","alpha","age"]}"#
    );
}

#[test]
fn texts_are_cleaned() {
    let published = property(
        Field::boolean("f")
            .titled("a\u{202e}b\nc")
            .described("one\ntwo"),
    );
    assert_eq!(
        published,
        r#"{"type":"boolean","title":"a\\u{202e}b\\u{a}c","description":"one\ntwo"}"#
    );
    // The value has to come back as it is, so that only what is shown is cleaned.
    let published = property(Field::choice("f", [("a\u{200b}", "a\u{200b}")]));
    assert_eq!(
        published,
        "{\"type\":\"string\",\"oneOf\":[{\"const\":\"a\u{200b}\",\"title\":\"a\\\\u{200b}\"}]}"
    );
}

#[test]
fn what_cannot_be_sent_says_why() {
    let many = (0..257).map(|number| (number.to_string(), "x"));
    let none: [(&str, &str); 0] = [];
    let cases = [
        (
            Field::text("f").length(RangeInclusive::new(3, 2)),
            "no value meets its bounds",
        ),
        (
            Field::integer("f", RangeInclusive::new(3, 2)),
            "no value meets its bounds",
        ),
        (
            Field::number("f", RangeInclusive::new(3.0, 2.0)),
            "no value meets its bounds",
        ),
        (
            Field::choices("f", [("a", "A")], 2..=3),
            "no value meets its bounds",
        ),
        (Field::choice("f", none), "it offers no choice"),
        (
            Field::choice("f", many),
            "it offers 257 choices, more than 256",
        ),
        (
            Field::choice("f", [("a", "A"), ("a", "B")]),
            "two of its choices have the same value",
        ),
        (
            Field::boolean("f").titled("x".repeat(257)),
            "a label is too long",
        ),
        (
            Field::boolean("f").described("x".repeat(4097)),
            "its description is too long",
        ),
        (
            Field::choice("f", [("a", "x".repeat(257))]),
            "a label is too long",
        ),
        (
            Field::text("f").length(1..=9).or(""),
            "its default must have at least 1 character",
        ),
        (
            Field::formatted("f", Format::Email).or("x"),
            "its default must be an e-mail address",
        ),
        (
            Field::integer("f", 1..=2).or(3),
            "its default must be at most 2",
        ),
        (
            Field::integer("f", 1..=2).or("1"),
            "its default must be a whole number",
        ),
        (
            Field::boolean("f").or("yes"),
            "its default must be true or false",
        ),
        (
            Field::choice("f", [("a", "A")]).or("A"),
            "its default must be one of the offered choices",
        ),
        (
            Field::choices("f", [("a", "A")], 0..=1).or("a"),
            "its default must be a list of choices",
        ),
        (
            Field::text("f").or("a\u{202e}b"),
            "its default holds invisible characters",
        ),
    ];
    for (field, fact) in cases {
        let text = refusal(field);
        assert!(
            text.starts_with(&format!("`f` does not fit in a form: {fact}")),
            "{text}"
        );
        assert!(text.contains("; "), "a remedy follows: {text}");
    }
    let twice = FormSchema::new([Field::boolean("f"), Field::text("f")]).expect_err("one name");
    assert!(twice.to_string().contains("two fields have this name"));
}

#[test]
fn a_default_may_have_lines_and_is_normalised() {
    assert_eq!(
        property(Field::text("f").or("a\n\nb")),
        r#"{"type":"string","default":"a\n\nb"}"#
    );
    assert_eq!(
        property(Field::integer("f", 0..=9).or(3.0)),
        r#"{"type":"integer","minimum":0,"maximum":9,"default":3}"#
    );
}

#[test]
fn only_a_scalar_form_is_titled() {
    let form = |field| FormSchema::new([field]).expect("a form");
    let titled = form(Field::boolean("value")).titled("Which\u{202e} floor?\nIt matters.");
    assert_eq!(titled.fields()[0].title(), Some("Which\\u{202e} floor?"));
    assert!(titled.requested_schema().contains("floor?"));
    assert_eq!(titled.clone().titled("Another"), titled);
    let untitled = [
        (form(Field::boolean("value")), "x".repeat(257)),
        (form(Field::boolean("value")), String::new()),
        (form(Field::boolean("other")), "Title".to_owned()),
    ];
    for (form, question) in untitled {
        assert_eq!(form.clone().titled(&question), form);
    }
    let two = FormSchema::new([Field::boolean("value"), Field::boolean("b")]).expect("a form");
    assert_eq!(two.clone().titled("Title"), two);
}

#[test]
fn the_digest_input_covers_what_a_yes_depends_on() {
    let input = |field: Field| {
        FormSchema::new([field])
            .expect("a form")
            .digest_input()
            .to_vec()
    };
    let plain = || Field::text("f").length(1..=9);
    let same = [
        plain().titled("Other title"),
        plain().described("Other help"),
    ];
    for field in same {
        assert_eq!(input(field), input(plain()));
    }
    let defaults = [input(plain().optional()), input(plain().or("x"))];
    assert_eq!(defaults[0], defaults[1]);
    let different = [
        input(plain()),
        input(plain().optional()),
        input(Field::text("g").length(1..=9)),
        input(Field::text("f").length(1..=8)),
        input(Field::text("f").length(0..=9)),
        input(Field::text("f")),
        input(Field::formatted("f", Format::Email)),
        input(Field::formatted("f", Format::Uri)),
        input(Field::boolean("f")),
        input(Field::integer("f", 1..=9)),
        input(Field::integer("f", 1..=8)),
        input(Field::number("f", 1.0..=9.0)),
        input(Field::choice("f", [("a", "A")])),
        input(Field::choice("f", [("a", "B")])),
        input(Field::choice("f", [("b", "A")])),
        input(Field::choice("f", [("a", "A"), ("b", "B")])),
        input(Field::choices("f", [("a", "A")], 0..=1)),
        input(Field::choices("f", [("a", "A")], 1..=1)),
    ];
    for (at, one) in different.iter().enumerate() {
        assert!(!different[at + 1..].contains(one), "case {at} has a twin");
    }
}
