//! What the reader takes, what it refuses and where, and what it agrees on with serde_json.

use super::{Json, JsonError, MAX_DEPTH, Value, View, canonical};
use proptest::prelude::*;

fn error(text: &str) -> JsonError {
    Json::parse(text, 64).unwrap_err()
}

fn duplicate(path: &str) -> JsonError {
    JsonError::Duplicate {
        path: path.to_owned(),
    }
}

#[test]
fn reads_each_kind() {
    let text =
        r#" { "z" : [ null , true , -1.5e3 , "x" , { } , [ ] ] , "a" : "é\n\ud83d\ude00\/" } "#;
    let json = Json::parse(text, 64).unwrap();
    let json = json.root();
    assert_eq!(json.get("a").unwrap().as_str().as_deref(), Some("é\n😀/"));
    let kinds: Vec<_> = json
        .get("z")
        .unwrap()
        .as_array()
        .unwrap()
        .map(Value::kind)
        .collect();
    assert_eq!(
        kinds,
        ["null", "boolean", "number", "string", "object", "array"]
    );
    let keys: Vec<_> = json
        .as_object()
        .unwrap()
        .sorted()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(keys, ["a", "z"]);
    assert!(json.get("b").is_none());
}

#[test]
fn plain_strings_are_borrowed() {
    let json = Json::parse("\"plain\"", 0).unwrap();
    let View::String(text) = json.root().view() else {
        panic!("a string");
    };
    assert!(matches!(text, std::borrow::Cow::Borrowed("plain")));
}

#[test]
fn finds_duplicate_keys_at_any_depth() {
    assert_eq!(error(r#"{"ticket":1,"ticket":2}"#), duplicate("/ticket"));
    assert_eq!(
        error(r#"{"a":{"b":[0,{"c":1,"d":2,"c":3}]}}"#),
        duplicate("/a/b/1/c")
    );
    // The same key written in two ways is still the same key.
    assert_eq!(error(r#"{"a":1,"\u0061":2}"#), duplicate("/a"));
    assert_eq!(error(r#"{"a/b~":1,"a/b~":2}"#), duplicate("/a~1b~0"));
    assert_eq!(
        error("{\"\u{202e}\":1,\"\u{202e}\":2}"),
        duplicate("/\\u{202e}")
    );
    let many: String = (0..1000).map(|n| format!("\"k{n}\":0,")).collect();
    assert!(Json::parse(&format!("{{{many}\"k\":0}}"), 1).is_ok());
    assert_eq!(error(&format!("{{{many}\"k500\":0}}")), duplicate("/k500"));
}

#[test]
fn counts_depth() {
    let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    assert!(Json::parse(&nested(64), 64).is_ok());
    assert_eq!(error(&nested(65)), JsonError::TooDeep);
    assert!(Json::parse("1", 0).is_ok());
    assert_eq!(Json::parse("{}", 0).unwrap_err(), JsonError::TooDeep);
    assert!(Json::parse(&nested(MAX_DEPTH), usize::MAX).is_ok());
    let bottomless = "[{\"a\":".repeat(100_000);
    assert_eq!(
        Json::parse(&bottomless, usize::MAX).unwrap_err(),
        JsonError::TooDeep
    );
}

#[test]
fn points_at_the_mistake() {
    for (text, offset) in [
        ("", 0),
        ("  ", 2),
        ("nul", 0),
        ("1 2", 2),
        ("[1,]", 3),
        ("{\"a\":1,}", 7),
        ("{\"a\" 1}", 5),
        ("[1}", 2),
        ("01", 1),
        ("-", 1),
        ("1.", 2),
        ("1e+", 3),
        ("\"a", 2),
        ("\"a\nb\"", 2),
        ("\"\\x\"", 2),
        ("\"\\u12g4\"", 5),
        ("\"\\ud800\"", 7),
        ("\"\\ud800\\n\"", 8),
        ("\"\\ud800\\u0041\"", 2),
        ("\"\\udc00\"", 2),
    ] {
        assert_eq!(error(text), JsonError::Syntax { offset }, "{text}");
    }
}

#[test]
fn refuses_exponents_nobody_can_compare() {
    assert!(Json::parse("1e999999999999999999", 0).is_ok());
    assert!(Json::parse("1e-000000000000000000000000001", 0).is_ok());
    assert_eq!(
        error("[1e1000000000000000000]"),
        JsonError::Exponent { offset: 1 }
    );
}

#[test]
fn debug_shows_no_content() {
    let json = Json::parse(r#"{"secret":"canary"}"#, 1).unwrap();
    assert_eq!(
        format!(
            "{json:?} {:?} {:?}",
            json.root(),
            json.root().as_object().unwrap()
        ),
        "Json(object) Value(object) Members(1)"
    );
}

/// What one reader refuses at once the other only marks, and says in the same words when asked.
#[test]
fn a_scan_marks_what_may_not_be_used() {
    for part in [
        r#"{"a":1,"a":2}"#,
        r#"{"a":[{"b":1,"\u0062":2}]}"#,
        r#"{"a":"\ud800"}"#,
        r#"[1,1e1000000000000000000]"#,
        "[[[[[[[[[[[[1]]]]]]]]]]]]",
    ] {
        let text = format!(r#"{{"fine":[{{}}],"part":{part}}}"#);
        let json = Json::scan(&text).unwrap();
        let (whole, found) = (json.root(), json.root().get("part").unwrap());
        assert_eq!(found.raw(), part);
        assert_eq!(found.check(10), Json::parse(part, 10).map(drop), "{part}");
        assert_eq!(whole.check(11), Json::parse(&text, 11).map(drop), "{part}");
        assert!(found.check(10).is_err() && whole.check(11).is_err());
        assert_eq!(whole.get("fine").unwrap().check(2), Ok(()));
    }
}

#[test]
fn keys_that_occur_twice_are_those_of_one_object() {
    let bad = |text: &str| Json::scan(text).unwrap().root().repeats_a_key();
    assert!(bad(r#"{"a":1,"b":2,"a":3}"#));
    assert!(bad(r#"{"a":1,"\u0061":2}"#));
    assert!(!bad(r#"{"a":{"b":1,"b":2},"b":"\udc00"}"#));
    assert!(!bad(r#"[{"b":1,"b":2}]"#));
}

#[test]
fn a_key_that_is_no_text_is_no_json() {
    for text in [r#"{"\udc00":1}"#, r#"[{"a":{"a\ud800":1}}]"#] {
        assert!(matches!(Json::scan(text), Err(JsonError::Syntax { .. })));
        assert!(matches!(
            Json::parse(text, 9),
            Err(JsonError::Syntax { .. })
        ));
    }
    assert!(Json::scan(r#"{"a":"\udc00"}"#).is_ok());
}

#[test]
fn depth_is_no_matter_of_the_stack() {
    let deep = "[{\"a\":".repeat(100_000) + "1" + &"}]".repeat(100_000);
    let json = Json::scan(&deep).unwrap();
    assert_eq!(json.root().check(usize::MAX), Err(JsonError::TooDeep));
    assert_eq!(json.root().raw().len(), deep.len());
}

/// Comparing each key with each other would take a minute here, as [`super::read`] says.
#[test]
fn an_object_of_very_many_members_is_read_at_once() {
    let keys = |from: usize| {
        let keys = (from..from + 200_000).map(|n| format!("\"{:06}\":0", n * 7919 % 1_000_003));
        keys.collect::<Vec<_>>().join(",")
    };
    let text = format!("{{{}}}", keys(0));
    assert!(Json::parse(&text, 1).is_ok());
    let twice = format!("{{{},\"{:06}\":1}}", keys(0), 100_000 * 7919 % 1_000_003);
    assert!(matches!(
        Json::parse(&twice, 1),
        Err(JsonError::Duplicate { .. })
    ));
    assert!(Json::scan(&twice).unwrap().root().repeats_a_key());
}

/// Each value's own text is JSON of the same kind and meaning.
fn holds_together(value: Value<'_>) {
    let alone = Json::parse(value.raw(), MAX_DEPTH).unwrap();
    assert_eq!(canonical(alone.root()), canonical(value));
    let theirs: serde_json::Result<serde_json::Value> = serde_json::from_str(value.raw());
    match (value.view(), theirs) {
        (View::Object(members), Ok(serde_json::Value::Object(theirs))) => {
            assert_eq!(members.clone().count(), theirs.len());
            for (key, member) in members {
                assert!(theirs.contains_key(&*key));
                assert_eq!(value.get(&key).unwrap().range(), member.range());
                holds_together(member);
            }
        }
        (View::Array(items), Ok(serde_json::Value::Array(theirs))) => {
            assert_eq!(items.clone().count(), theirs.len());
            items.for_each(holds_together);
        }
        (View::String(text), Ok(serde_json::Value::String(theirs))) => assert_eq!(text, theirs),
        (View::Bool(truth), Ok(serde_json::Value::Bool(theirs))) => assert_eq!(truth, theirs),
        (View::Null, Ok(serde_json::Value::Null))
        | (View::Number(_), Ok(serde_json::Value::Number(_))) => {}
        // serde_json refuses numbers beyond the range of a double; we compare them.
        (_, Err(theirs)) => assert!(theirs.to_string().contains("out of range")),
        (view, Ok(theirs)) => panic!("{} {theirs}", matches!(view, View::Null)),
    }
}

proptest! {
    #[test]
    fn never_panics(text in "(?s:.{0,60})|[\\[\\]{}\",:\\\\u0-9a-f.eE+\\- ]{0,40}") {
        let _ = Json::parse(&text, 64);
    }

    #[test]
    fn accepts_what_serde_json_accepts(text in "[\\[\\]{}\",:\\\\utrn0-9a-f.eE+\\- ]{0,12}") {
        let ours = Json::parse(&text, 64).map(|json| canonical(json.root()));
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        match (ours, theirs) {
            (Ok(ours), Ok(_)) => prop_assert!(serde_json::from_str::<serde_json::Value>(&ours).is_ok()),
            (Err(JsonError::Syntax { .. }), theirs) => prop_assert!(theirs.is_err()),
            // serde_json refuses numbers beyond the range of a double; we compare them.
            (Ok(_), Err(theirs)) => prop_assert!(theirs.to_string().contains("out of range")),
            (Err(_), _) => {}
        }
    }

    /// serde_json skips what it is told to ignore without looking into it any deeper than a scan.
    #[test]
    fn a_scan_takes_what_serde_json_passes_over(text in near_json()) {
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        match Json::scan(&text) {
            Ok(_) => prop_assert!(theirs.is_ok(), "{}", text),
            // What serde_json passes over may have half a surrogate pair in a key.
            Err(_) => prop_assert!(theirs.is_err() || text.contains("\\u"), "{}", text),
        }
    }

    #[test]
    fn what_may_be_used_is_the_same_for_a_scan(text in near_json()) {
        if let Ok(json) = Json::scan(&text) {
            prop_assert_eq!(json.root().check(3), Json::parse(&text, 3).map(drop));
        }
    }

    #[test]
    fn each_value_is_its_own_text(text in near_json()) {
        if let Ok(json) = Json::parse(&text, 64) {
            holds_together(json.root());
        }
    }
}

/// Texts that are JSON about as often as not.
fn near_json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "null",
            "true",
            "false",
            "-0",
            "1.5e3",
            "1E400",
            "1e9999999999999999999"
        ])
        .prop_map(str::to_owned),
        "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,2})?([eE][+-]?[0-9]{1,2})?",
        string(),
    ];
    let value = leaf.prop_recursive(4, 40, 10, |inner| {
        let members = prop::collection::vec((string(), inner.clone()), 0..12);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(" ,"))),
            members.prop_map(|members| {
                let members = members.iter().map(|(key, value)| format!("{key}: {value}"));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }),
        ]
    });
    let broken = (
        value.clone(),
        any::<prop::sample::Index>(),
        "[\\[\\]{}\",:\\\\u0-]{0,2}",
    );
    prop_oneof![
        value,
        broken.prop_map(|(mut text, at, piece)| {
            let at = at.index(text.len() + 1);
            let at = (0..=at)
                .rev()
                .find(|&at| text.is_char_boundary(at))
                .unwrap_or(0);
            text.insert_str(at, &piece);
            text
        }),
    ]
}

fn string() -> impl Strategy<Value = String> {
    prop_oneof![
        "\"[a-cé\u{10000}]{0,2}\"",
        "\"[ -!#-\\[\\]-~]{0,20}\"",
        "\"(\\\\u00[0-9a-fA-F]{2}|\\\\[\"\\\\/bfnrt]|\\\\u[dD][89a-fA-F]00){0,3}\"",
    ]
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the value is of another JSON")]
fn a_value_of_another_text_is_not_taken_for_one_of_this() {
    let (one, other) = (Json::scan("[1]").unwrap(), Json::scan("[2]").unwrap());
    let _ = one.raw_of(other.root());
}
