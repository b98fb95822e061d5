//! Tables of answers: every rule from both sides.

use crate::form::{Field, FormSchema, Format, confirm_form, reason};

fn form(fields: impl IntoIterator<Item = Field>) -> FormSchema {
    FormSchema::new(fields).expect("a form that can be sent")
}

/// Reads `{"f": answer}`; the normal value on success, the words of the reason otherwise.
fn read(field: Field, answer: &str) -> Result<String, String> {
    let read = form([field]).read(Some(&format!("{{\"f\":{answer}}}")));
    let inner = |content: String| content["{\"f\":".len()..content.len() - 1].to_owned();
    read.map(inner).map_err(|problems| reason(&problems))
}

fn accepts(field: &Field, cases: &[(&str, &str)]) {
    for (answer, normal) in cases {
        assert_eq!(
            read(field.clone(), answer).as_deref(),
            Ok(*normal),
            "{answer}"
        );
    }
}

fn refuses(field: &Field, words: &str, answers: &[&str]) {
    for answer in answers {
        assert_eq!(
            read(field.clone(), answer),
            Err(format!("`f` {words}")),
            "{answer}"
        );
    }
}

#[test]
fn texts() {
    let field = Field::text("f").length(2..=4);
    accepts(
        &field,
        &[
            (r#""ab""#, r#""ab""#),
            (r#""äöüß""#, r#""äöüß""#),
            (r#""\u0061\u0062""#, r#""ab""#),
            (r#""😀😀😀😀""#, r#""😀😀😀😀""#),
            (r#""\"\n""#, r#""\"\n""#),
        ],
    );
    refuses(
        &field,
        "must have at least 2 characters",
        &[r#""""#, r#""ä""#, r#""😀""#],
    );
    refuses(
        &field,
        "must have at most 4 characters",
        &[r#""abcde""#, r#""äöüßx""#],
    );
    let others = [
        "1",
        "true",
        "null",
        "[\"ab\"]",
        "{\"a\":\"ab\"}",
        r#""\ud800""#,
    ];
    refuses(&field, "must be a text", &others);
    accepts(&Field::text("f"), &[(r#""""#, r#""""#)]);
}

#[test]
fn formats() {
    let cases = [
        (
            Format::Email,
            r#""a@example.com""#,
            r#""x""#,
            "must be an e-mail address",
        ),
        (
            Format::Uri,
            r#""mailto:a@example.com""#,
            r#""example.com""#,
            "must be a full web address (URI) with its scheme",
        ),
        (
            Format::Date,
            r#""2026-07-28""#,
            r#""2026-02-30""#,
            "must be a date as YYYY-MM-DD",
        ),
        (
            Format::DateTime,
            r#""2026-07-28T10:00:00Z""#,
            r#""2026-07-28""#,
            "must be a date and time as YYYY-MM-DDThh:mm:ssZ",
        ),
    ];
    for (format, good, bad, words) in cases {
        let field = Field::formatted("f", format);
        accepts(&field, &[(good, good)]);
        refuses(&field, words, &[bad, r#""""#]);
        refuses(&field, "must be a text", &["7"]);
    }
}

#[test]
fn a_length_is_judged_before_the_format() {
    let field = Field::formatted("f", Format::Email).length(0..=5);
    refuses(
        &field,
        "must have at most 5 characters",
        &[r#""not an address""#],
    );
}

#[test]
fn whole_numbers() {
    let field = Field::integer("f", 18..=99);
    accepts(
        &field,
        &[
            ("18", "18"),
            ("99", "99"),
            ("30.0", "30"),
            ("30.000", "30"),
            ("3e1", "30"),
            ("3.0E+1", "30"),
            ("1800e-2", "18"),
        ],
    );
    refuses(
        &field,
        "must be at least 18",
        &["3", "17", "-30", "-1e300", "0", "-0", "-0.0"],
    );
    refuses(
        &field,
        "must be at most 99",
        &["100", "1e300", "100000000000000000000000000000000000000000"],
    );
    refuses(
        &field,
        "must be a whole number",
        &[
            "30.5", "1e-1", "\"30\"", "true", "null", "[]", "{}", "1e999",
        ],
    );
}

#[test]
fn large_whole_numbers_are_exact() {
    let field = Field::integer("f", i64::MIN..=i64::MAX);
    accepts(
        &field,
        &[
            ("9223372036854775807", "9223372036854775807"),
            ("9223372036854775807.0", "9223372036854775807"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("9007199254740993", "9007199254740993"),
        ],
    );
    refuses(
        &field,
        "must be at most 9223372036854775807",
        &["9223372036854775808", "9223372036854775808.0"],
    );
    refuses(
        &field,
        "must be at least -9223372036854775808",
        &["-9223372036854775809"],
    );
}

#[test]
fn numbers() {
    let field = Field::number("f", 0.5..=2.5);
    accepts(
        &field,
        &[
            ("0.5", "0.5"),
            ("2.50", "2.5"),
            ("1", "1"),
            ("1.0", "1"),
            ("15e-1", "1.5"),
        ],
    );
    refuses(&field, "must be at least 0.5", &["0.49", "-1"]);
    refuses(&field, "must be at most 2.5", &["2.51", "1e300"]);
    refuses(
        &field,
        "must be a number",
        &["\"1\"", "null", "true", "1e999", "[1]"],
    );
    let open = Field::number("f", f64::NEG_INFINITY..=f64::INFINITY);
    accepts(
        &open,
        &[
            ("-1e300", "-1e300"),
            ("0.1", "0.1"),
            ("12345678901234567890", "12345678901234567000"),
        ],
    );
}

#[test]
fn booleans() {
    let field = Field::boolean("f");
    accepts(&field, &[("true", "true"), ("false", "false")]);
    refuses(
        &field,
        "must be true or false",
        &["\"true\"", "1", "0", "null", "[]", "\"yes\""],
    );
}

#[test]
fn one_choice() {
    let field = Field::choice("f", [("w", "Window"), ("a", "Aisle")]);
    accepts(&field, &[(r#""w""#, r#""w""#), (r#""\u0061""#, r#""a""#)]);
    refuses(
        &field,
        "must be one of the offered choices",
        &[
            r#""x""#,
            r#""W""#,
            r#""Window""#,
            r#""""#,
            "1",
            "null",
            "[\"w\"]",
        ],
    );
}

#[test]
fn several_choices() {
    let field = Field::choices("f", [("a", "A"), ("b", "B"), ("c", "C")], 1..=2);
    accepts(
        &field,
        &[
            (r#"["a"]"#, r#"["a"]"#),
            (r#"[ "c" , "a" ]"#, r#"["c","a"]"#),
        ],
    );
    refuses(&field, "needs at least 1 choice", &["[]"]);
    refuses(
        &field,
        "takes at most 2 choices",
        &[r#"["a","b","c"]"#, r#"["a","a","a"]"#],
    );
    refuses(&field, "must not hold a choice twice", &[r#"["a","a"]"#]);
    refuses(
        &field,
        "must be one of the offered choices",
        &[r#"["x"]"#, "[1]", r#"["a",null]"#],
    );
    refuses(
        &field,
        "must be a list of choices",
        &[r#""a""#, "null", "{}", "1"],
    );
}

#[test]
fn what_may_be_missing() {
    let form = form([
        Field::text("need"),
        Field::text("may").optional(),
        Field::integer("count", 0..=9).or(3),
    ]);
    let cases = [
        (r#"{"need":"a"}"#, r#"{"need":"a","count":3}"#),
        (
            r#"{"need":"a","may":null,"count":null}"#,
            r#"{"need":"a","count":3}"#,
        ),
        (
            r#"{"count":4.0,"may":"b","need":"a","more":{"x":[1]}}"#,
            r#"{"need":"a","may":"b","count":4}"#,
        ),
    ];
    for (content, normal) in cases {
        assert_eq!(form.read(Some(content)).as_deref(), Ok(normal));
    }
    let refused = |content| reason(&form.read(content).expect_err("refused"));
    assert_eq!(refused(None), "`need` is missing");
    assert_eq!(refused(Some("null")), "`need` is missing");
    assert_eq!(refused(Some("{}")), "`need` is missing");
    assert_eq!(refused(Some(r#"{"need":null}"#)), "`need` must be a text");
    assert_eq!(
        refused(Some(r#"{"need":"a","need":"b"}"#)),
        "`need` is given twice"
    );
    assert_eq!(
        refused(Some(r#"{"may":7,"count":10}"#)),
        "`need` is missing; `may` must be a text; `count` must be at most 9"
    );
}

#[test]
fn what_is_no_object() {
    let form = form([Field::text("f").optional()]);
    for content in [
        "[]",
        "\"x\"",
        "5",
        "true",
        "",
        "{",
        "{}x",
        "{\"f\":}",
        "{\"f\":\"a\",}",
    ] {
        let problems = form.read(Some(content)).expect_err(content);
        assert_eq!(
            reason(&problems),
            "the answer must be an object",
            "{content}"
        );
    }
}

#[test]
fn a_form_without_required_fields_takes_no_content() {
    let empty = form([]);
    let defaults = form([Field::boolean("a").or(false), Field::text("b").or("x")]);
    for content in [None, Some("null"), Some("{}"), Some(r#"{"more":1}"#)] {
        assert_eq!(empty.read(content).as_deref(), Ok("{}"));
        assert_eq!(
            defaults.read(content).as_deref(),
            Ok(r#"{"a":false,"b":"x"}"#)
        );
    }
}

#[test]
fn a_confirmation_needs_its_boolean() {
    let form = confirm_form();
    assert_eq!(
        form.read(Some(r#"{"ok":true}"#)).as_deref(),
        Ok(r#"{"ok":true}"#)
    );
    assert_eq!(
        form.read(Some(r#"{"ok":false}"#)).as_deref(),
        Ok(r#"{"ok":false}"#)
    );
    for content in [
        None,
        Some("null"),
        Some("{}"),
        Some(r#"{"ok":null}"#),
        Some(r#"{"ok":"true"}"#),
        Some(r#"{"ok":1}"#),
    ] {
        assert!(form.read(content).is_err(), "{content:?}");
    }
    assert_eq!(
        form.requested_schema(),
        r#"{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}"#
    );
}

#[test]
fn a_reason_never_holds_the_answer() {
    let form = form([
        Field::text("a").length(1..=3),
        Field::integer("b", 1..=2),
        Field::choice("c", [("x", "X")]),
        Field::formatted("d", Format::Email),
    ]);
    let content = r#"{"a":"hunter2","b":"hunter2","c":"hunter2","d":"hunter2"}"#;
    let problems = form.read(Some(content)).expect_err("refused");
    assert_eq!(problems.len(), 4);
    assert!(!reason(&problems).contains("hunter2"));
    assert!(!format!("{problems:?}").contains("hunter2"));
}

#[test]
fn odd_names_are_names() {
    let names = [
        "constructor",
        "__proto__",
        "type",
        "größe",
        "名前",
        "a b",
        "\"",
        "required",
    ];
    let form = form(names.map(Field::boolean));
    let members: Vec<String> = names
        .iter()
        .map(|name| format!("{}:true", serde_json::json!(name)))
        .collect();
    let content = format!("{{{}}}", members.join(","));
    assert_eq!(form.read(Some(&content)), Ok(content.clone()));
    let escaped = content.replace("größe", "gr\\u00f6\\u00dfe");
    assert_eq!(form.read(Some(&escaped)), Ok(content));
}
