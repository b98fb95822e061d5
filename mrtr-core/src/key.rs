//! The name of an ask, which ties a question to its answer along a flow.

use std::borrow::{Borrow, Cow};
use std::fmt;

use crate::text::log_name;

/// The longest key, in bytes.
pub const MAX_KEY_BYTES: usize = 64;

/// The key of an ask or a memo: 1 to 64 characters of `A-Z`, `a-z`, `0-9`, `.`, `_` and `-`.
///
/// Keys order by their bytes, which is the order they have in a sealed state.
/// A key made from a `&'static str` does not allocate.
///
/// # Examples
/// ```
/// use mrtr_core::key::AskKey;
/// let key = AskKey::new("who")?;
/// assert_eq!(key.scoped("billing")?.as_str(), "billing.who");
/// # Ok::<(), mrtr_core::key::KeyError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AskKey(Cow<'static, str>);

/// Why a text is not an ask key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The text has no character.
    #[error("an ask key must not be empty")]
    Empty,
    /// The text has more than [`MAX_KEY_BYTES`] bytes.
    #[error("the ask key `{key}` has {length} bytes; at most 64 are allowed")]
    TooLong {
        /// The beginning of the text.
        key: String,
        /// The length of the text in bytes.
        length: usize,
    },
    /// The text has a character that a key cannot have.
    #[error("the ask key `{key}` may hold only `A-Z a-z 0-9 . _ -`")]
    Character {
        /// The text, escaped.
        key: String,
    },
}

impl AskKey {
    /// Checks the text and makes it a key.
    ///
    /// # Errors
    /// Names what is wrong with the text.
    pub fn new(key: impl Into<Cow<'static, str>>) -> Result<Self, KeyError> {
        let key = key.into();
        if AskKey::is_valid(&key) {
            return Ok(AskKey(key));
        }
        Err(match key.len() {
            0 => KeyError::Empty,
            1..=MAX_KEY_BYTES => KeyError::Character {
                key: log_name(&key),
            },
            length => KeyError::TooLong {
                key: log_name(&key),
                length,
            },
        })
    }

    /// Whether the text is a key; usable where a constant is checked at compile time.
    #[must_use]
    pub const fn is_valid(key: &str) -> bool {
        let bytes = key.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if !matches!(bytes[at], b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b'-') {
                return false;
            }
            at += 1;
        }
        !bytes.is_empty() && bytes.len() <= MAX_KEY_BYTES
    }

    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key within a scope: the prefix, a dot and this key.
    ///
    /// # Errors
    /// The prefix is empty or not made of key characters, or both together are too long.
    pub fn scoped(&self, prefix: &str) -> Result<Self, KeyError> {
        if prefix.is_empty() {
            return Err(KeyError::Empty);
        }
        AskKey::new(format!("{prefix}.{self}"))
    }
}

impl fmt::Display for AskKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for AskKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AskKey({})", self.0)
    }
}

impl Borrow<str> for AskKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for AskKey {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_each_allowed_character_and_length() {
        let all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._";
        assert_eq!(all.len(), 64);
        for key in ["a", "-", "billing.who", "Who_1-2", all] {
            assert_eq!(AskKey::new(key).unwrap().as_str(), key);
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let error = |key: String| AskKey::new(key).unwrap_err().to_string();
        assert_eq!(error(String::new()), "an ask key must not be empty");
        assert_eq!(
            error("a b".to_owned()),
            "the ask key `a b` may hold only `A-Z a-z 0-9 . _ -`"
        );
        assert_eq!(
            error("é\u{202e}".to_owned()),
            "the ask key `é\\u{202e}` may hold only `A-Z a-z 0-9 . _ -`"
        );
        let long = error("x".repeat(65));
        assert!(
            long.ends_with("has 65 bytes; at most 64 are allowed"),
            "{long}"
        );
    }

    #[test]
    fn scopes_nest_and_are_checked() {
        let key = AskKey::new("who").unwrap();
        let nested = key.scoped("b").unwrap().scoped("a").unwrap();
        assert_eq!(nested.as_str(), "a.b.who");
        assert_eq!(key.scoped(""), Err(KeyError::Empty));
        assert!(key.scoped("no space").is_err());
        assert!(key.scoped(&"x".repeat(61)).is_err());
    }

    #[test]
    fn is_checked_in_constants() {
        const GOOD: bool = AskKey::is_valid("who");
        const BAD: bool = AskKey::is_valid("who?");
        assert_eq!((GOOD, BAD), (true, false));
    }
}
