//! The revisions that open with a handshake, and what each of them has.

use serde_json::{Map, Value};

/// A revision with a handshake; later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Revision {
    /// No tool annotations, no audio, no completions.
    V2024_11_05,
    /// The first with Streamable HTTP; the only one with batches.
    V2025_03_26,
    /// The first that can ask the user, by forms without titled or multiple choices.
    V2025_06_18,
    /// Forms as today, URLs, sampling with tools.
    V2025_11_25,
}

impl Revision {
    /// The revision that a handshake agrees on: the one asked for, or the newest there is.
    pub(super) fn agreed(asked: &str) -> Self {
        match asked {
            "2024-11-05" => Self::V2024_11_05,
            "2025-03-26" => Self::V2025_03_26,
            "2025-06-18" => Self::V2025_06_18,
            _ => Self::V2025_11_25,
        }
    }

    /// The name on the wire.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
        }
    }

    /// What a client of this revision can be asked, of what it declared.
    pub(super) fn capabilities(self, mut declared: Map<String, Value>) -> Map<String, Value> {
        if self < Self::V2025_06_18 {
            declared.remove("elicitation");
        }
        if self < Self::V2025_11_25 {
            // The revision has one mode and no tools, whatever the client says.
            for name in ["elicitation", "sampling"] {
                if let Some(capability) = declared.get_mut(name) {
                    *capability = Value::Object(Map::new());
                }
            }
        }
        declared
    }

    /// The first of these revisions in which a client can have what is needed.
    pub(super) fn first_with(needed: &Value) -> Option<Self> {
        let has = |pointer| needed.pointer(pointer).is_some();
        if has("/elicitation/url") || has("/sampling/tools") || has("/sampling/context") {
            return Some(Self::V2025_11_25);
        }
        has("/elicitation").then_some(Self::V2025_06_18)
    }

    /// What the server offers, of what it offers today.
    pub(super) fn offers(self, mut offered: Map<String, Value>) -> Map<String, Value> {
        offered.remove("extensions");
        if self < Self::V2025_03_26 {
            offered.remove("completions");
        }
        offered
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_revision_we_do_not_know_gets_the_newest_one() {
        for name in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
            assert_eq!(Revision::agreed(name).name(), name);
        }
        for name in ["2026-07-28", "1.0.0", ""] {
            assert_eq!(Revision::agreed(name), Revision::V2025_11_25, "{name}");
        }
    }

    #[test]
    fn a_client_is_asked_only_what_its_revision_has() {
        let declared = json!({
            "elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {}
        });
        let of = |revision: Revision| {
            Value::Object(revision.capabilities(declared.as_object().unwrap().clone()))
        };
        assert_eq!(of(Revision::V2025_11_25), declared);
        assert_eq!(
            of(Revision::V2025_06_18),
            json!({"elicitation": {}, "sampling": {}, "roots": {}})
        );
        for old in [Revision::V2025_03_26, Revision::V2024_11_05] {
            assert_eq!(of(old), json!({"sampling": {}, "roots": {}}));
        }
    }
}
