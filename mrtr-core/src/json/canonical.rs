//! The one way to write each JSON value, so that equal values are equal bytes.

use super::{Json, JsonError, Value, View, canonical_number, text};

/// Writes a value canonically: no blanks, members by the UTF-8 bytes of their keys, numbers by
/// their exact decimal value (`30.0` is `30`), and no escape that JSON does not demand.
///
/// The value is one that may be used: [`Json::parse`] or [`Value::check`] has looked at it.
///
/// # Examples
/// ```
/// use mrtr_core::json::{Json, canonical};
/// let json = Json::parse(r#"{ "b": 1e2, "a": "\u00e9" }"#, 8)?;
/// assert_eq!(canonical(json.root()), r#"{"a":"é","b":100}"#);
/// # Ok::<(), mrtr_core::json::JsonError>(())
/// ```
#[must_use]
pub fn canonical(json: Value<'_>) -> String {
    // Most of what clients write has nothing to change.
    if is_canonical(json) {
        return json.raw().to_owned();
    }
    let mut out = String::with_capacity(json.raw().len());
    write_value(json, &mut out);
    out
}

/// Reads a JSON text and writes it canonically.
///
/// # Errors
/// As [`Json::parse`].
pub fn canonical_text(text: &str, max_depth: usize) -> Result<String, JsonError> {
    Json::parse(text, max_depth).map(|json| canonical(json.root()))
}

/// Whether a value is written canonically, as far as can be told at a glance: without escapes,
/// with whole numbers, and no longer than its parts, so that there are no blanks.
fn is_canonical(json: Value<'_>) -> bool {
    let length = json.raw().len();
    match json.view() {
        View::Null | View::Bool(_) => true,
        View::Number(text) => length < 16 && text.bytes().all(|byte| byte.is_ascii_digit()),
        View::String(text) => length == text.len() + 2,
        View::Array(mut items) => {
            let mut tight = 1;
            let plain = items.all(|item| {
                tight += item.raw().len() + 1;
                is_canonical(item)
            });
            plain && length == tight.max(2)
        }
        View::Object(members) => {
            let (mut tight, mut last) = (1, None);
            for (key, value) in members {
                tight += key.len() + value.raw().len() + 4;
                if last.is_some_and(|last| last >= key) || !is_canonical(value) {
                    return false;
                }
                last = Some(key);
            }
            length == tight.max(2)
        }
    }
}

fn write_value(json: Value<'_>, out: &mut String) {
    match json.view() {
        View::Null => out.push_str("null"),
        View::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        View::Number(text) => out.push_str(&canonical_number(text)),
        View::String(text) => write_string(&text, out),
        View::Array(items) => {
            out.push('[');
            for (at, item) in items.enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write_value(item, out);
            }
            out.push(']');
        }
        View::Object(members) => {
            out.push('{');
            for (at, (key, value)) in members.sorted().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write_string(&key, out);
                out.push(':');
                write_value(value, out);
            }
            out.push('}');
        }
    }
}

/// Writes a JSON string with the escapes of RFC 8785: the short one where there is one,
/// otherwise four lower-case hexadecimal digits, and only where JSON demands it.
pub(crate) fn write_string(value: &str, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    // No more than the quotes: what writes a whole value has made room for just as much as it takes
    // if nobody wrote it with blanks.
    out.reserve(value.len() + 2);
    out.push('"');
    let mut rest = value;
    loop {
        // What a reader cannot run over is exactly what a writer has to escape.
        let (plain, next) = rest.split_at(text::plain(rest.as_bytes()));
        out.push_str(plain);
        let Some(&byte) = next.as_bytes().first() else {
            break;
        };
        rest = &next[1..];
        out.push('\\');
        match byte {
            0x8 => out.push('b'),
            b'\t' => out.push('t'),
            b'\n' => out.push('n'),
            0xc => out.push('f'),
            b'\r' => out.push('r'),
            0..0x20 => {
                out.push_str("u00");
                out.push(char::from(HEX[usize::from(byte >> 4)]));
                out.push(char::from(HEX[usize::from(byte & 15)]));
            }
            itself => out.push(char::from(itself)),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn writes_each_value_in_one_way() {
        for (text, expected) in [
            (" [ ] ", "[]"),
            ("{ }", "{}"),
            ("[1.0, [null,true ,false]]", "[1,[null,true,false]]"),
            (
                r#"{"b":{"d":1,"c":2},"a":[]}"#,
                r#"{"a":[],"b":{"c":2,"d":1}}"#,
            ),
            // Keys go by UTF-8 bytes: U+FFFD stands before U+10000, unlike in UTF-16.
            (
                "{\"\u{10000}\":1,\"\u{fffd}\":2,\"Z\":3}",
                "{\"Z\":3,\"\u{fffd}\":2,\"\u{10000}\":1}",
            ),
            (r#""\u0041\/\u00e9\ud83d\ude00""#, "\"A/é😀\""),
            (
                r#""\"\\\u0008\t\u000a\f\r\u001F\u0000""#,
                r#""\"\\\b\t\n\f\r\u001f\u0000""#,
            ),
            ("\"\u{7f}\"", "\"\u{7f}\""),
        ] {
            assert_eq!(canonical_text(text, 8).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn keeps_unicode_as_it_is() {
        // Composed and decomposed forms look alike and stay two values.
        let (nfc, nfd) = ("\"\u{e9}\"", "\"e\u{301}\"");
        assert_ne!(canonical_text(nfc, 0), canonical_text(nfd, 0));
    }

    proptest! {
        #[test]
        fn strings_read_back(text in "(?s:.{0,40})|[\0-\u{30}\\\\]{0,20}") {
            let mut out = String::new();
            write_string(&text, &mut out);
            prop_assert_eq!(&serde_json::from_str::<String>(&out).unwrap(), &text);
            let ours = Json::parse(&out, 0).unwrap();
            prop_assert!(ours.root().is_text(&text));
            let read = ours.root().as_str();
            prop_assert_eq!(read.as_deref(), Some(&*text));
        }

        #[test]
        fn a_glance_sees_what_writing_would(
            text in any_json().prop_map(|value| value.to_string()),
            at in any::<prop::sample::Index>(),
            more in "[ 0-9eE.,:\\[\\]{}\"\\\\/-]{0,2}",
        ) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let mut changed = text.clone();
            changed.insert_str(*at.get(&places), &more);
            for text in [text, changed] {
                let Ok(json) = Json::parse(&text, 64) else { continue };
                let (value, mut written) = (json.root(), String::new());
                write_value(value, &mut written);
                prop_assert!(!is_canonical(value) || written == value.raw(), "{}", text);
                prop_assert_eq!(canonical(value), written);
            }
        }

        #[test]
        fn is_idempotent_and_means_the_same(value in any_json()) {
            let text = value.to_string();
            let once = canonical_text(&text, 64).unwrap();
            prop_assert_eq!(canonical_text(&once, 64).unwrap(), once.clone());
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&once).unwrap(), value);
        }
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        use serde_json::Value;
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "(?s:.{0,8})".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map("(?s:.{0,4})", inner, 0..6)
                    .prop_map(|map| map.into_iter().collect()),
            ]
        })
    }
}
