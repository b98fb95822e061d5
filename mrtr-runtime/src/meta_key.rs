//! The keys that an author may put into `_meta`.

use mrtr_core::json::{Json, MAX_DEPTH};
use thiserror::Error;

/// Why a member of `_meta` cannot be sent.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MetaError {
    /// MCP keeps the prefix for itself.
    #[error(
        "the `_meta` key `{0}` has a prefix of MCP's own; use one of yours, as in `com.example/rank`"
    )]
    Reserved(String),
    /// The key is not of the form that MCP wants.
    #[error(
        "`{0}` is no `_meta` key: write letters, digits, `-`, `_` and `.`, with a letter or digit at both ends, \
         after a prefix such as `com.example/`"
    )]
    Malformed(String),
    /// The value does not serialise as JSON.
    #[error("the value of the `_meta` key `{key}` does not serialise as JSON: {why}")]
    Value {
        /// The key.
        key: String,
        /// What the serialiser said.
        why: serde_json::Error,
    },
}

/// What is wrong with a whole `_meta`, as JSON text.
pub(crate) fn problem(meta: &str) -> Option<String> {
    let json = match Json::parse(meta, MAX_DEPTH) {
        Ok(json) => json,
        Err(error) => return Some(format!("its `meta` cannot be sent: {error}")),
    };
    let Some(members) = json.root().as_object() else {
        return Some(
            "its `meta` is no JSON object: write `json!({ \"com.example/key\": .. })`".into(),
        );
    };
    let mut wrong = members.filter_map(|(key, _)| check(&key).err());
    wrong.next().map(|error| error.to_string())
}

/// Checks a key: an optional prefix of labels with dots between them and a slash, and a name.
pub(crate) fn check(key: &str) -> Result<(), MetaError> {
    let (labels, name) = match key.split_once('/') {
        Some((prefix, name)) => (prefix.split('.').collect(), name),
        None => (Vec::new(), key),
    };
    let well_formed = labels.iter().all(|label| is_label(label)) && is_name(name);
    if !well_formed || key.is_empty() {
        return Err(MetaError::Malformed(key.to_owned()));
    }
    match labels.get(1) {
        Some(&("modelcontextprotocol" | "mcp")) => Err(MetaError::Reserved(key.to_owned())),
        _ => Ok(()),
    }
}

/// A letter, then letters, digits and hyphens, and no hyphen at the end.
fn is_label(label: &str) -> bool {
    label.starts_with(|c: char| c.is_ascii_alphabetic())
        && label.ends_with(|c: char| c.is_ascii_alphanumeric())
        && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// Nothing at all, or a letter or digit at both ends.
fn is_name(name: &str) -> bool {
    let bounded = |c: char| c.is_ascii_alphanumeric();
    name.is_empty()
        || name.starts_with(bounded)
            && name.ends_with(bounded)
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_protocol() {
        let good = [
            "rank",
            "a",
            "A-b_c.9",
            "com.example/rank",
            "com.example.mcp/rank",
            "example/",
            "x-1.y2/z",
        ];
        for key in good {
            assert!(check(key).is_ok(), "{key}");
        }
        let malformed = [
            "",
            "/",
            "/a",
            ".com/a",
            "com./a",
            "9com/a",
            "com-/a",
            "com.ex_ample/a",
            "com/a/b",
            "-a",
            "a-",
            "_a",
            "a.",
            "a b",
            "é",
            "com.é/a",
        ];
        for key in malformed {
            assert!(matches!(check(key), Err(MetaError::Malformed(_))), "{key}");
        }
        let reserved = [
            "io.modelcontextprotocol/a",
            "dev.mcp/",
            "org.modelcontextprotocol.api/a",
            "com.mcp.tools/a",
        ];
        for key in reserved {
            assert!(matches!(check(key), Err(MetaError::Reserved(_))), "{key}");
        }
    }

    #[test]
    fn an_error_names_the_key_and_the_remedy() {
        let text = check("dev.mcp/x").expect_err("reserved").to_string();
        assert_eq!(
            text,
            "the `_meta` key `dev.mcp/x` has a prefix of MCP's own; use one of yours, as in `com.example/rank`"
        );
    }
}
