//! What a request declares that its client can be asked.
//!
//! Source: MCP 2026-07-28, `ClientCapabilities`. It holds for this one request only.

use mrtr_core::capability::Capabilities;
use mrtr_core::json::Value;

/// The capabilities of one request that decide what it may be asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ClientCapabilities(pub(crate) Capabilities);

impl ClientCapabilities {
    /// What of this the request does not declare.
    pub(crate) fn lacks(self, needs: Capabilities) -> Capabilities {
        needs.without(self.0)
    }
}

impl ClientCapabilities {
    /// Reads them; `None` when a capability is no object, or is declared twice.
    ///
    /// Nobody looks at what is inside beyond these members. `elicitation: {}` means forms.
    pub(crate) fn read(declared: Value<'_>) -> Option<Self> {
        let elicitation = member(declared, "elicitation")?;
        let sampling = member(declared, "sampling")?;
        let roots = member(declared, "roots")?;
        let part = |of: Option<Value<'_>>, name| match of {
            Some(of) => member(of, name).map(|part| part.is_some()),
            None => Some(false),
        };
        let (form, url) = (part(elicitation, "form")?, part(elicitation, "url")?);
        Some(Self(Capabilities {
            form: form || elicitation.is_some() && !url,
            url,
            sampling: sampling.is_some(),
            sampling_tools: part(sampling, "tools")?,
            sampling_context: part(sampling, "context")?,
            roots: roots.is_some(),
        }))
    }
}

/// A member of an object that is an object itself, or null for none; `None` when it is neither.
fn member<'j>(of: Value<'j>, name: &str) -> Option<Option<Value<'j>>> {
    if !of.is_object() || of.repeats_a_key() {
        return None;
    }
    let member = of.get(name).filter(|member| !member.is_null());
    member.is_none_or(Value::is_object).then_some(member)
}

#[cfg(test)]
mod tests {
    use mrtr_core::json::Json;

    use super::*;

    fn read(text: &str) -> Option<ClientCapabilities> {
        ClientCapabilities::read(Json::scan(text).unwrap().root())
    }

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
            let read = read(text).expect(text);
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
            let read = read(text).expect(text);
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
            assert!(read(text).is_none(), "{text}");
        }
    }
}
