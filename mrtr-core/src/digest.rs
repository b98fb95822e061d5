//! Digests that two different inputs cannot share: every part is hashed with its length.

use std::borrow::Cow;
use std::fmt;

use sha2::{Digest, Sha256};

use crate::json::{Json, JsonError, MAX_DEPTH, Value, View, canonical_number};
use crate::varint::Varint;

/// The members of params that differ from round to round, and so are left out of the digest.
const PER_ROUND: [&str; 3] = ["_meta", "inputResponses", "requestState"];

/// The member of params that counts as an empty object where it is absent.
const ARGUMENTS: &str = "arguments";

/// The bytes that SHA-256 takes at a time.
const BLOCK: usize = 64;

/// SHA-256 over parts, each preceded by its length, which is written in as few bytes as it needs.
///
/// A clone goes on from where the original stands, so that what many digests begin with is hashed
/// once.
#[derive(Clone)]
pub struct Framed {
    hash: Sha256,
    /// How many bytes of the last block are taken.
    taken: usize,
}

impl Framed {
    /// Starts a digest of its own purpose; the purpose is its first part.
    #[must_use]
    pub fn new(purpose: &str) -> Self {
        Self::empty().part(purpose.as_bytes())
    }

    /// Starts a digest that only holders of the key can make.
    ///
    /// For some bytes of it only, because whoever had all of them could go on from there.
    #[must_use]
    pub(crate) fn keyed(key: &[u8; 32]) -> Self {
        let mut digest = Self::empty();
        // Not as a part, of which a copy would be left behind.
        digest.count(key.len());
        digest.raw(key);
        digest.whole_blocks()
    }

    fn empty() -> Self {
        Framed {
            hash: Sha256::new(),
            taken: 0,
        }
    }

    /// Adds a part.
    #[must_use]
    pub fn part(mut self, bytes: &[u8]) -> Self {
        self.add(bytes);
        self
    }

    /// Fills the block with zeros, so that nothing before this has to be hashed again by a clone.
    ///
    /// Where the parts end follows from their lengths, and so does the number of zeros.
    #[must_use]
    pub(crate) fn whole_blocks(mut self) -> Self {
        if self.taken > 0 {
            self.raw(&[0; BLOCK][self.taken..]);
        }
        self
    }

    /// Ends the digest.
    #[must_use]
    pub fn finish(self) -> [u8; 32] {
        self.hash.finalize().into()
    }

    /// Ends the digest with its first bytes.
    #[must_use]
    pub(crate) fn first<const N: usize>(self) -> [u8; N] {
        *(self.finish().first_chunk()).expect("invariant: nobody asks for more than a digest has")
    }

    fn add(&mut self, bytes: &[u8]) {
        if bytes.len() < BLOCK {
            // Nearly all parts are short, and hashing a byte alone costs as much as hashing them.
            let mut part = [0; BLOCK];
            part[0] = bytes.len() as u8;
            part[1..=bytes.len()].copy_from_slice(bytes);
            self.raw(&part[..=bytes.len()]);
        } else {
            self.count(bytes.len());
            self.raw(bytes);
        }
    }

    fn count(&mut self, count: usize) {
        self.raw(Varint::of_length(count).as_bytes());
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.taken = (self.taken + bytes.len() % BLOCK) % BLOCK;
    }

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

    fn no_arguments(&mut self) {
        self.add(ARGUMENTS.as_bytes());
        self.raw(b"o");
        self.count(0);
    }

    fn member(&mut self, key: &str, value: Value<'_>) {
        self.add(key.as_bytes());
        self.value(value);
    }
}

impl fmt::Debug for Framed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Framed(..)")
    }
}

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
        let is_kept = |(key, _): &(Cow<'_, str>, _)| !PER_ROUND.contains(&&**key);
        let mut missing = params.get(ARGUMENTS).is_none();
        let mut digest = Framed::new("mrtr v1 params");
        digest.count(members.clone().filter(is_kept).count() + usize::from(missing));
        for (key, value) in members.sorted().filter(is_kept) {
            if missing && *key > *ARGUMENTS {
                missing = false;
                digest.no_arguments();
            }
            digest.member(&key, value);
        }
        if missing {
            digest.no_arguments();
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

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
    fn parts_cannot_be_moved() {
        let two = |a: &[u8], b: &[u8]| Framed::new("test").part(a).part(b).finish();
        assert_ne!(two(b"ab", b"c"), two(b"a", b"bc"));
        assert_ne!(two(b"", b"abc"), two(b"abc", b""));
        // What fills a block is no part, and a part of zeros does not fill one.
        let filled = |zeros: usize| Framed::new("test").part(&vec![0; zeros]).whole_blocks();
        let digests: HashSet<_> = (0..130).map(|zeros| filled(zeros).finish()).collect();
        assert_eq!(digests.len(), 130);
    }

    #[test]
    fn a_part_has_its_length_in_as_few_bytes_as_it_needs() {
        for (length, before) in [(0, &[0][..]), (127, &[127]), (128, &[128, 1])] {
            let part = vec![b'x'; length];
            let input = [b"\x04test", before, &part].concat();
            let by_hand: [u8; 32] = Sha256::digest(&input).into();
            assert_eq!(
                Framed::new("test").part(&part).finish(),
                by_hand,
                "{length}"
            );
        }
    }

    #[test]
    fn whole_blocks_end_in_zeros_and_a_clone_goes_on_from_there() {
        // The purpose and the lengths take seven bytes.
        for (length, zeros) in [(0, 58), (57, 1), (58, 0), (59, 63), (200, 49)] {
            let part = vec![b'x'; length];
            let before = Framed::new("test").part(&part).whole_blocks();
            let lengths = Varint::of_length(length);
            let input = [
                b"\x04test",
                lengths.as_bytes(),
                &part,
                &vec![0; zeros],
                b"\x01y",
            ];
            let by_hand: [u8; 32] = Sha256::digest(input.concat()).into();
            assert_eq!(before.clone().part(b"y").finish(), by_hand, "{length}");
            assert_eq!(before.part(b"y").finish(), by_hand, "{length}");
        }
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
