//! JSON with its members in the order they came and its numbers as they are written.
//!
//! `serde_json::Value` keeps either only with features that any crate in the user's tree can turn
//! on or off, and a test must not depend on them.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

/// A JSON value in its own order.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

impl Tree {
    /// Reads what a server sent.
    pub(super) fn read(text: &str) -> Self {
        match serde_json::from_str::<&RawValue>(text).and_then(|raw| Self::of(raw.get())) {
            Ok(tree) => tree,
            Err(error) => panic!("the server sent something that is not JSON: {error}\n{text}"),
        }
    }

    fn of(text: &str) -> serde_json::Result<Self> {
        Ok(match text.as_bytes() {
            [b'{', ..] => {
                let Members(members) = serde_json::from_str(text)?;
                let read = |(name, raw): (String, &RawValue)| Ok((name, Self::of(raw.get())?));
                Self::Object(members.into_iter().map(read).collect::<Result<_, _>>()?)
            }
            [b'[', ..] => {
                let items: Vec<&RawValue> = serde_json::from_str(text)?;
                let read = |raw: &RawValue| Self::of(raw.get());
                Self::Array(items.into_iter().map(read).collect::<Result<_, _>>()?)
            }
            [b'"', ..] => Self::Text(serde_json::from_str(text)?),
            b"null" => Self::Null,
            b"true" => Self::Bool(true),
            b"false" => Self::Bool(false),
            _ => Self::Number(text.to_owned()),
        })
    }

    /// A member of an object.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        let mut members = self.members().iter();
        members.find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// A member of members.
    pub(super) fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |tree, name| tree.get(name))
    }

    /// The members of an object; nothing else has any.
    pub(super) fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of an array; nothing else has any.
    pub(super) fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    /// The text of a string.
    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a number of this type.
    pub(super) fn number<N: std::str::FromStr>(&self) -> Option<N> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// The text of a member, or nothing.
    pub(super) fn text(&self, name: &str) -> &str {
        self.get(name).and_then(Self::as_str).unwrap_or_default()
    }

    /// On several lines, as people write it.
    pub(super) fn pretty(&self) -> String {
        serde_json::to_string_pretty(self).expect("invariant: a tree is JSON")
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).expect("invariant: a tree is JSON"))
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(text) => RawValue::from_string(text.clone())
                .map_err(serde::ser::Error::custom)?
                .serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

/// The members of an object, unread.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_numbers_stay_as_they_were_written() {
        let text = r#"{"b":[1.50,-2,true,null],"a":{"ü\n":"x"}}"#;
        let tree = Tree::read(text);
        assert_eq!(tree.to_string(), text);
        assert_eq!(tree.at(&["a", "ü\n"]).and_then(Tree::as_str), Some("x"));
        assert_eq!(tree.get("b").unwrap().items()[1].number(), Some(-2));
        assert_eq!(Tree::read("{ }").pretty(), "{}");
    }
}
