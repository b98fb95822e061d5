//! What a message looks like from outside: enough to tell its era, before it is read.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// The members that tell whose a message is.
#[derive(Deserialize)]
pub(super) struct Shape<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    params: Option<Params>,
}

#[derive(Deserialize)]
struct Params {
    #[serde(rename = "_meta")]
    meta: Option<Meta>,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<IgnoredAny>,
}

impl<'a> Shape<'a> {
    /// The shape of one JSON object; a batch, or what is no message, has none.
    pub(super) fn of(text: &'a [u8]) -> Option<Self> {
        if is_batch(text) {
            return None;
        }
        serde_json::from_slice(text).ok()
    }

    /// Whether it names its version itself, as every modern request does.
    pub(super) fn is_modern(&self) -> bool {
        let meta = self.params.as_ref().and_then(|params| params.meta.as_ref());
        meta.is_some_and(|meta| meta.version.is_some())
    }

    /// Whether it is a request that opens a session.
    pub(super) fn is_initialize(&self) -> bool {
        self.id.is_some() && self.calls(r#""initialize""#)
    }

    /// The id of a request, as JSON text.
    #[cfg(feature = "http")]
    pub(super) fn request_id(&self) -> Option<&'a str> {
        self.method.and(self.id).map(RawValue::get)
    }

    /// Whether it is a modern client's first question.
    pub(super) fn is_probe(&self) -> bool {
        self.calls(r#""server/discover""#)
    }

    /// Whether this is its method, as JSON text.
    fn calls(&self, method: &str) -> bool {
        self.method.is_some_and(|written| written.get() == method)
    }
}

/// Whether it is a list of messages, as 2025-03-26 has them.
pub(super) fn is_batch(text: &[u8]) -> bool {
    // A struct that is derived would be read from a list, too.
    text.trim_ascii_start().starts_with(b"[")
}

/// The messages of a batch.
pub(super) fn batch(text: &[u8]) -> Option<Vec<&RawValue>> {
    let messages: Vec<&RawValue> = serde_json::from_slice(text).ok()?;
    Some(messages).filter(|messages| !messages.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_in_meta_tells_the_era() {
        let cases = [
            (r#"{"method":"initialize","id":1}"#, (false, true)),
            (r#"{"method":"initialize"}"#, (false, false)),
            (
                r#"{"id":1,"method":"initialize","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":1}}}"#,
                (true, true),
            ),
            (
                r#"{"id":1,"method":"x","params":{"_meta":{"progressToken":1}}}"#,
                (false, false),
            ),
            (r#"{"id":1,"result":{}}"#, (false, false)),
        ];
        for (text, expected) in cases {
            let shape = Shape::of(text.as_bytes()).expect(text);
            assert_eq!(
                (shape.is_modern(), shape.is_initialize()),
                expected,
                "{text}"
            );
        }
        for text in [r#" [{"id":1,"method":"initialize"}]"#, "7", "nonsense"] {
            assert!(Shape::of(text.as_bytes()).is_none(), "{text}");
        }
    }
}
