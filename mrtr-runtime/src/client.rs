//! What a request declares that its client can be asked.
//!
//! Source: MCP 2026-07-28, `ClientCapabilities`. It holds for this one request only.

use std::marker::PhantomData;

use mrtr_core::capability::Capabilities;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde::de::value::MapAccessDeserializer;

/// The capabilities of one request that decide what it may be asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ClientCapabilities(pub(crate) Capabilities);

impl ClientCapabilities {
    /// What of this the request does not declare.
    pub(crate) fn lacks(self, needs: Capabilities) -> Capabilities {
        needs.without(self.0)
    }
}

impl<'de> Deserialize<'de> for ClientCapabilities {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Declared::deserialize(deserializer).map(Declared::lower)
    }
}

/// The wire form: every leaf is an object whose members beyond these nobody looks at.
#[derive(Deserialize)]
struct Declared {
    #[serde(default, deserialize_with = "object")]
    elicitation: Option<Elicitation>,
    #[serde(default, deserialize_with = "object")]
    sampling: Option<Sampling>,
    #[serde(default)]
    roots: Option<Leaf>,
}

#[derive(Deserialize)]
struct Elicitation {
    #[serde(default)]
    form: Option<Leaf>,
    #[serde(default)]
    url: Option<Leaf>,
}

#[derive(Deserialize)]
struct Sampling {
    #[serde(default)]
    tools: Option<Leaf>,
    #[serde(default)]
    context: Option<Leaf>,
}

/// Reads an object, or null for none; a derived struct would take an array, too.
fn object<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    struct Object<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> serde::de::Visitor<'de> for Object<T> {
        type Value = Option<T>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }
        fn visit_unit<E: serde::de::Error>(self) -> Result<Option<T>, E> {
            Ok(None)
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Option<T>, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map)).map(Some)
        }
    }
    deserializer.deserialize_any(Object(PhantomData))
}

/// An object with any members.
struct Leaf;

impl<'de> Deserialize<'de> for Leaf {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> serde::de::Visitor<'de> for Object {
            type Value = Leaf;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Leaf, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Leaf)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl Declared {
    /// `elicitation: {}` means forms.
    fn lower(self) -> ClientCapabilities {
        let (form, url) = match &self.elicitation {
            None => (false, false),
            Some(Elicitation { form, url }) => (form.is_some() || url.is_none(), url.is_some()),
        };
        let sampling = self.sampling.as_ref();
        ClientCapabilities(Capabilities {
            form,
            url,
            sampling: sampling.is_some(),
            sampling_tools: sampling.is_some_and(|sampling| sampling.tools.is_some()),
            sampling_context: sampling.is_some_and(|sampling| sampling.context.is_some()),
            roots: self.roots.is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elicitation_without_a_mode_means_forms() {
        let cases = [
            ("{}", (false, false)),
            (r#"{"elicitation":{}}"#, (true, false)),
            (r#"{"elicitation":{"form":{}}}"#, (true, false)),
            (r#"{"elicitation":{"url":{}}}"#, (false, true)),
            (
                r#"{"elicitation":{"form":{"x":1},"url":{}},"else":7}"#,
                (true, true),
            ),
            (r#"{"elicitation":null}"#, (false, false)),
        ];
        for (text, expected) in cases {
            let read: ClientCapabilities = serde_json::from_str(text).expect(text);
            assert_eq!((read.0.form, read.0.url), expected, "{text}");
        }
    }

    #[test]
    fn parts_of_sampling_are_told_apart() {
        let cases = [
            (r#"{"sampling":{}}"#, r#"{"sampling":{}}"#),
            (
                r#"{"sampling":{"tools":{},"context":{"x":1}},"roots":{"listChanged":true}}"#,
                r#"{"sampling":{"context":{},"tools":{}},"roots":{}}"#,
            ),
        ];
        for (text, expected) in cases {
            let read: ClientCapabilities = serde_json::from_str(text).expect(text);
            assert_eq!(read.0.to_json(), expected);
        }
    }

    #[test]
    fn a_capability_that_is_no_object_is_refused() {
        for text in [
            "true",
            r#"{"elicitation":[]}"#,
            r#"{"sampling":[]}"#,
            r#"{"elicitation":true}"#,
            r#"{"roots":[]}"#,
            r#"{"sampling":1}"#,
        ] {
            assert!(
                serde_json::from_str::<ClientCapabilities>(text).is_err(),
                "{text}"
            );
        }
    }
}
