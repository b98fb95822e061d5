//! The exact digest of what a request asks for.

use std::borrow::Cow;
use std::fmt;

use super::Framed;
use crate::json::{Json, JsonError, MAX_DEPTH, Value, View, canonical_number};

/// The members of params that differ from round to round, and so are left out of the digest.
const PER_ROUND: [&str; 3] = ["_meta", "inputResponses", "requestState"];

/// The member of params that counts as an empty object where it is absent.
const ARGUMENTS: &str = "arguments";

/// The exact digest of what a request asks for, equal for all rounds of one flow.
///
/// `Debug` hides it, because a plain digest of guessable arguments can be reversed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ParamsDigest([u8; 32]);

impl ParamsDigest {
    /// Digests params that were already read.
    ///
    /// `_meta`, `inputResponses` and `requestState` are left out, at the top level only, and
    /// absent `arguments` count as `{}`. Equal are numbers of the same decimal value (`1` and
    /// `1.0`), members in another order, and strings with other escapes; nothing else is.
    ///
    /// # Errors
    /// The params are not an object, or may not be used: see [`Value::check`].
    pub fn of(params: Value<'_>) -> Result<Self, JsonError> {
        let members = params.as_object().ok_or(JsonError::NotAnObject)?;
        params.check(MAX_DEPTH)?;
        let mut kept = Vec::with_capacity(2);
        kept.extend(
            members
                .filter(|(key, _)| !PER_ROUND.contains(&&**key))
                .map(|(key, value)| (key, Some(value))),
        );
        if !kept.iter().any(|(key, _)| key == ARGUMENTS) {
            kept.push((Cow::Borrowed(ARGUMENTS), None));
        }
        kept.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let mut digest = Framed::new("mrtr v1 params");
        digest.count(kept.len());
        for (key, value) in kept {
            digest.add(key.as_bytes());
            match value {
                Some(value) => digest.value(value),
                None => digest.empty_object(),
            }
        }
        Ok(ParamsDigest(digest.finish()))
    }

    /// The digest as bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for ParamsDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ParamsDigest(..)")
    }
}

/// Digests the raw text of a params object; see [`ParamsDigest::of`].
///
/// Duplicate keys and depth are checked in all of the text, also in the members left out.
///
/// # Errors
/// As [`Json::parse`], or the text is not an object.
pub fn params_digest(params: &str, max_depth: usize) -> Result<ParamsDigest, JsonError> {
    ParamsDigest::of(Json::parse(params, max_depth)?.root())
}

impl Framed {
    /// Adds a value as a type tag and its content, so that no value can be read as another.
    fn value(&mut self, json: Value<'_>) {
        match json.view() {
            View::Null => self.raw(b"n"),
            View::Bool(true) => self.raw(b"t"),
            View::Bool(false) => self.raw(b"f"),
            View::Number(text) => {
                self.raw(b"d");
                self.add(canonical_number(text).as_bytes());
            }
            View::String(text) => {
                self.raw(b"s");
                self.add(text.as_bytes());
            }
            View::Array(items) => {
                self.raw(b"a");
                self.count(items.clone().count());
                items.for_each(|item| self.value(item));
            }
            View::Object(members) => {
                self.raw(b"o");
                self.count(members.clone().count());
                members
                    .sorted()
                    .for_each(|(key, value)| self.member(&key, value));
            }
        }
    }

    fn empty_object(&mut self) {
        self.raw(b"o");
        self.count(0);
    }

    fn member(&mut self, key: &str, value: Value<'_>) {
        self.add(key.as_bytes());
        self.value(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn digest(params: &str) -> ParamsDigest {
        params_digest(params, 64).unwrap()
    }

    fn with_argument(value: &str) -> ParamsDigest {
        digest(&format!(
            r#"{{"name":"close","arguments":{{"ticket":{value}}}}}"#
        ))
    }

    #[test]
    fn numbers_are_equal_by_decimal_value() {
        for [one, other] in [
            ["1", "1.0"],
            ["1", "1e0"],
            ["1", "10e-1"],
            ["0", "-0"],
            ["0.1", "0.10"],
            ["1e400", "10e399"],
        ] {
            assert_eq!(with_argument(one), with_argument(other), "{one} {other}");
        }
        for [one, other] in [
            ["1152921504606846976", "1152921504606846977"],
            ["9007199254740992", "9007199254740993"],
            ["1e400", "1e401"],
            ["1", "\"1\""],
            ["1", "-1"],
            ["0", "false"],
            ["null", "\"null\""],
            ["[]", "{}"],
            ["[1,[2]]", "[[1],2]"],
            ["[[],[]]", "[[[]]]"],
            ["\"\u{e9}\"", "\"e\u{301}\""],
            ["\"ab\"", "\"a\\u0062\\u0000\""],
        ] {
            assert_ne!(with_argument(one), with_argument(other), "{one} {other}");
        }
    }

    #[test]
    fn what_changes_between_rounds_is_left_out() {
        let first = digest(r#"{"name":"book","arguments":{"flight":"LH1"}}"#);
        let retry = r#"{"requestState":"abc","inputResponses":{"who":{"action":"accept"}},
            "arguments":{"flight":"LH1"},"_meta":{"progressToken":1},"name":"book"}"#;
        assert_eq!(first, digest(retry));
        // The names mean nothing further down.
        assert_ne!(
            digest(r#"{"arguments":{"_meta":1}}"#),
            digest(r#"{"arguments":{}}"#)
        );
        let other = digest(r#"{"name":"book","arguments":{"flight":"LH2"}}"#);
        assert_ne!(first, other);
    }

    #[test]
    fn absent_null_and_empty_differ_as_the_protocol_says() {
        assert_eq!(
            digest(r#"{"name":"a"}"#),
            digest(r#"{"name":"a","arguments":{}}"#)
        );
        // Where it is put in does not depend on what stands around it.
        for others in [r#""a":1"#, r#""b":1"#, r#""a":1,"b":2"#, r#""_meta":1"#] {
            assert_eq!(
                digest(&format!("{{{others}}}")),
                digest(&format!(r#"{{"arguments":{{}},{others}}}"#)),
                "{others}"
            );
        }
        assert_ne!(
            digest(r#"{"name":"a"}"#),
            digest(r#"{"name":"a","arguments":null}"#)
        );
        assert_ne!(
            with_argument("null"),
            digest(r#"{"name":"close","arguments":{}}"#)
        );
        assert_ne!(
            digest(r#"{"arguments":{"arguments":{}}}"#),
            digest(r#"{"arguments":{}}"#)
        );
    }

    #[test]
    fn members_left_out_are_still_checked() {
        let duplicate = |path: &str| {
            Err(JsonError::Duplicate {
                path: path.to_owned(),
            })
        };
        assert_eq!(
            params_digest(r#"{"_meta":{"a":1,"a":1}}"#, 64),
            duplicate("/_meta/a")
        );
        assert_eq!(
            params_digest(r#"{"requestState":"a","requestState":"b"}"#, 64),
            duplicate("/requestState")
        );
        let deep = |n: usize| format!(r#"{{"inputResponses":{}{}}}"#, "[".repeat(n), "]".repeat(n));
        assert!(params_digest(&deep(63), 64).is_ok());
        assert_eq!(params_digest(&deep(64), 64), Err(JsonError::TooDeep));
        assert_eq!(params_digest("[]", 64), Err(JsonError::NotAnObject));
    }

    #[test]
    fn debug_is_not_reversible() {
        assert_eq!(format!("{:?}", digest("{}")), "ParamsDigest(..)");
    }

    proptest! {
        #[test]
        fn the_order_of_members_does_not_matter(
            members in prop::collection::btree_map("[a-c_é]{0,3}", "[a-z]{0,3}", 0..8)
                .prop_flat_map(|map| {
                    let sorted: Vec<_> = map.into_iter().collect();
                    (Just(sorted.clone()), Just(sorted).prop_shuffle())
                })
        ) {
            let text = |members: &[(String, String)]| {
                let members: Vec<_> = members.iter().map(|(k, v)| format!("\"{k}\":\"{v}\"")).collect();
                format!("{{{}}}", members.join(" , "))
            };
            let nested = |members: &[(String, String)]| format!("{{\"arguments\":{}}}", text(members));
            prop_assert_eq!(digest(&text(&members.0)), digest(&text(&members.1)));
            prop_assert_eq!(digest(&nested(&members.0)), digest(&nested(&members.1)));
        }

        #[test]
        fn different_integers_differ(a in any::<i128>(), b in any::<i128>()) {
            prop_assert_eq!(with_argument(&a.to_string()) == with_argument(&b.to_string()), a == b);
            let spelled = format!("{a}.000e0");
            prop_assert_eq!(with_argument(&a.to_string()), with_argument(&spelled));
        }
    }
}
