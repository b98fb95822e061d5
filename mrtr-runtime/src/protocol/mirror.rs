//! Headers that repeat what the body says, for gateways that do not read bodies.
//!
//! Source: MCP 2026-07-28, basic/transports/streamable-http, "Standard request headers" and
//! "Custom headers". The body counts; a header that says something else is refused, so that no
//! gateway can be made to see another call than the one that is carried out.

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use mrtr_core::json::{Value, View, canonical, canonical_text};

use super::refusal::Refusal;
use super::request::Head;

/// An argument that is mirrored in a header of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mirror {
    /// The member names from `arguments` down.
    pub(crate) path: Vec<Box<str>>,
    /// The whole header name, in lower case.
    pub(crate) header: Box<str>,
}

/// Checks `Mcp-Method`, which every request has.
pub(super) fn check_method(head: &Head, method: &str) -> Result<(), Refusal> {
    if !head.is_http() {
        return Ok(());
    }
    match head.header("mcp-method")? {
        Some(value) if value == method => Ok(()),
        Some(_) => Err(Refusal::header(
            "the header `Mcp-Method` differs from the body's method",
        )),
        None => Err(Refusal::header("the header `Mcp-Method` is missing")),
    }
}

/// Checks `Mcp-Name`, which requests for one thing have.
pub(super) fn check_name(head: &Head, name: &str) -> Result<(), Refusal> {
    if !head.is_http() {
        return Ok(());
    }
    let Some(value) = head.header("mcp-name")? else {
        return Err(Refusal::header("the header `Mcp-Name` is missing"));
    };
    match decode(value) {
        Some(value) if value == name => Ok(()),
        Some(_) => Err(Refusal::header(
            "the header `Mcp-Name` differs from the body's name",
        )),
        None => Err(undecodable("mcp-name")),
    }
}

/// Checks the headers of mirrored arguments.
pub(super) fn check_arguments(
    head: &Head,
    mirrors: &[Mirror],
    arguments: Option<Value<'_>>,
) -> Result<(), Refusal> {
    if !head.is_http() {
        return Ok(());
    }
    mirrors
        .iter()
        .try_for_each(|mirror| check_argument(head, mirror, arguments))
}

fn check_argument(
    head: &Head,
    mirror: &Mirror,
    arguments: Option<Value<'_>>,
) -> Result<(), Refusal> {
    let name = &*mirror.header;
    let argument = arguments
        .and_then(|arguments| {
            let mut path = mirror.path.iter();
            path.try_fold(arguments, |value, name| value.get(name))
        })
        .filter(|value| !value.is_null());
    match (head.header(name)?, argument) {
        (None, None) => Ok(()),
        (None, Some(argument)) if is_compound(argument) => Ok(()),
        (None, Some(_)) => Err(Refusal::header(format!("the header `{name}` is missing"))),
        (Some(_), None) => Err(Refusal::header(format!(
            "the header `{name}` is there, but the argument is not"
        ))),
        (Some(value), Some(argument)) => {
            let value = decode(value).ok_or_else(|| undecodable(name))?;
            if says(&value, argument) {
                Ok(())
            } else {
                Err(Refusal::header(format!(
                    "the header `{name}` differs from the argument"
                )))
            }
        }
    }
}

/// An array or object is in no header.
fn is_compound(argument: Value<'_>) -> bool {
    matches!(argument.view(), View::Array(_) | View::Object(_))
}

/// Whether a header's text says the same as the argument; numbers by value.
fn says(text: &str, argument: Value<'_>) -> bool {
    match argument.view() {
        View::String(argument) => text == argument,
        View::Bool(argument) => text == if argument { "true" } else { "false" },
        View::Number(_) => canonical_text(text, 0).is_ok_and(|text| text == canonical(argument)),
        View::Null | View::Array(_) | View::Object(_) => false,
    }
}

/// The text of a header value: `=?base64?..?=` holds what a header cannot, everything else is
/// itself. `None` when the base64 is not strict or holds no UTF-8.
fn decode(value: &str) -> Option<Cow<'_, str>> {
    let encoded = value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="));
    let Some(encoded) = encoded else {
        return Some(value.into());
    };
    let bytes = BASE64_STANDARD.decode(encoded).ok()?;
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

fn undecodable(name: &str) -> Refusal {
    Refusal::header(format!("the header `{name}` is not valid base64 of a text"))
}

#[cfg(test)]
mod tests {
    use mrtr_core::json::Json;

    use super::*;

    #[test]
    fn the_sentinel_is_decoded_strictly_and_everything_else_is_literal() {
        let cases = [
            ("plain", Some("plain")),
            ("", Some("")),
            ("=?base64?SGVsbG8=?=", Some("Hello")),
            ("=?base64??=", Some("")),
            ("=?base64?SGVsbG8?=", None),
            ("=?base64?SGVs!!!bG8=?=", None),
            ("=?base64?SGVs bG8=?=", None),
            ("=?base64?/w==?=", None),
            ("=?base64?SGVsbG9=?=", None),
            ("=?BASE64?SGVsbG8=?=", Some("=?BASE64?SGVsbG8=?=")),
            ("=?base64?SGVsbG8=", Some("=?base64?SGVsbG8=")),
            ("SGVsbG8=?=", Some("SGVsbG8=?=")),
        ];
        for (value, expected) in cases {
            assert_eq!(decode(value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn numbers_are_compared_by_value_and_nothing_else_is() {
        let cases = [
            ("42", "42", true),
            ("42.0", "42", true),
            ("42", "4.2e1", true),
            ("9007199254740993", "9007199254740992", false),
            ("0x2a", "42", false),
            ("+42", "42", false),
            ("42", r#""42""#, true),
            ("42.0", r#""42""#, false),
            ("true", "true", true),
            ("True", "true", false),
            ("1", "true", false),
            ("", r#""""#, true),
            ("{}", "{}", false),
        ];
        for (header, argument, expected) in cases {
            let json = Json::parse(argument, 4).unwrap();
            assert_eq!(says(header, json.root()), expected, "{header} {argument}");
        }
    }
}
