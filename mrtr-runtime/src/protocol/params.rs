//! The members of `params` that this server reads, still as JSON text.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::message::{is_object, present};
use super::refusal::Refusal;

/// The known members of any method's `params`. Others are passed over.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Params<'a> {
    #[serde(rename = "_meta", borrow, default, deserialize_with = "present")]
    pub(crate) meta: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) name: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) uri: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) cursor: Option<&'a RawValue>,
    #[serde(rename = "ref", borrow, default, deserialize_with = "present")]
    pub(crate) reference: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) argument: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) context: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) notifications: Option<&'a RawValue>,
    #[serde(
        rename = "inputResponses",
        borrow,
        default,
        deserialize_with = "present"
    )]
    pub(crate) input_responses: Option<&'a RawValue>,
    #[serde(rename = "requestState", borrow, default, deserialize_with = "present")]
    pub(crate) request_state: Option<&'a RawValue>,
}

impl<'a> Params<'a> {
    /// Reads the members; `params` is an object already.
    pub(super) fn read(params: Option<&'a RawValue>) -> Result<Self, Refusal> {
        let Some(params) = params else {
            return Ok(Self::default());
        };
        // Members are read raw, so that only a member named twice is an error. Two readers could
        // see two values in it.
        serde_json::from_str(params.get())
            .map_err(|_| Refusal::invalid_params("a member of `params` occurs twice"))
    }
}

/// The members of `inputResponses`: name and JSON text.
pub(super) type Responses<'a> = Vec<(Cow<'a, str>, &'a RawValue)>;

/// Reads `inputResponses`; null is as good as absent.
pub(super) fn responses(raw: Option<&RawValue>, most: usize) -> Result<Responses<'_>, Refusal> {
    let Some(raw) = raw.filter(|raw| raw.get() != "null") else {
        return Ok(Vec::new());
    };
    if !is_object(raw) {
        return Err(Refusal::invalid_params(
            "`inputResponses` must be an object",
        ));
    }
    let mut reader = serde_json::Deserializer::from_str(raw.get());
    let members = reader.deserialize_map(Members { most }).map_err(|_| {
        Refusal::invalid_params("a member of `inputResponses` has no readable name")
    })?;
    members.ok_or_else(|| {
        Refusal::invalid_params(format!("`inputResponses` has more than {most} members"))
    })
}

/// Reads an object's members in order, or nothing when there are more than it may have.
struct Members {
    most: usize,
}

impl<'de> Visitor<'de> for Members {
    type Value = Option<Responses<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        #[derive(Deserialize)]
        struct Name<'a>(#[serde(borrow)] Cow<'a, str>);
        let mut members = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            if members.len() == self.most {
                map.next_value::<IgnoredAny>()?;
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                return Ok(None);
            }
            members.push((name, map.next_value::<&'de RawValue>()?));
        }
        Ok(Some(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn absent_and_null_are_told_apart() {
        let text = raw(r#"{"requestState":null,"x":1}"#);
        let params = Params::read(Some(&text)).unwrap();
        assert_eq!(params.request_state.map(RawValue::get), Some("null"));
        assert!(params.arguments.is_none());
    }

    #[test]
    fn a_member_that_occurs_twice_is_refused() {
        for text in [
            r#"{"name":"a","name":"b"}"#,
            r#"{"requestState":"a","requestState":"a"}"#,
            r#"{"_meta":{},"_meta":{}}"#,
        ] {
            assert_eq!(
                Params::read(Some(&raw(text))).unwrap_err().error.code,
                -32602,
                "{text}"
            );
        }
    }

    #[test]
    fn responses_are_a_bounded_object() {
        let read = |text: &str| responses(Some(&raw(text)), 2).map(|members| members.len());
        assert_eq!(read("null").unwrap(), 0);
        assert_eq!(read("{}").unwrap(), 0);
        assert_eq!(read(r#"{"a":1,"b":{}}"#).unwrap(), 2);
        assert!(responses(None, 2).unwrap().is_empty());
        for text in [
            "[]",
            r#""x""#,
            "5",
            "true",
            r#"{"a":1,"b":2,"c":3}"#,
            r#"[{"a":1}]"#,
        ] {
            assert_eq!(read(text).unwrap_err().error.code, -32602, "{text}");
        }
    }
}
