//! Reads a value from normalised content, with errors that never hold what the user wrote.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;

use super::problem::{Problem, Rule};
use super::traits::Readable;

/// The type's own `Deserialize` refused content that the form allows.
///
/// It names the field and the kind of failure only: serde's own messages quote values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentError {
    field: Option<String>,
    kind: ContentErrorKind,
}

/// How reading failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContentErrorKind {
    /// A field that the type needs is missing.
    Missing,
    /// The value is refused.
    NotAccepted,
}

/// Reads a value from content that `FormSchema::read` returned.
///
/// # Errors
/// When the type's own `Deserialize` refuses it.
pub fn from_content<T: Readable>(content: &str) -> Result<T, ContentError> {
    // The error of the fast way knows a position but no field, so that the slow way finds it.
    serde_json::from_str(content).or_else(|_| T::deserialize(Slow(members(content))))
}

impl ContentError {
    /// The field that was refused; none if it is the value as a whole.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// How reading failed.
    #[must_use]
    pub fn kind(&self) -> ContentErrorKind {
        self.kind
    }

    fn of_field(field: impl Into<String>, kind: ContentErrorKind) -> Self {
        ContentError {
            field: Some(field.into()),
            kind,
        }
    }

    fn as_problem(&self) -> Problem {
        let rule = match self.kind {
            ContentErrorKind::Missing => Rule::Missing,
            ContentErrorKind::NotAccepted => Rule::NotAccepted,
        };
        match &self.field {
            Some(field) => Problem::of_field(field, rule),
            None => Problem::of_answer(rule),
        }
    }
}

/// A value that only the type refuses is an invalid answer like any other.
impl From<ContentError> for Problem {
    fn from(error: ContentError) -> Self {
        error.as_problem()
    }
}

impl fmt::Display for ContentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_problem().fmt(f)
    }
}

impl std::error::Error for ContentError {}

impl de::Error for ContentError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        ContentError {
            field: None,
            kind: ContentErrorKind::NotAccepted,
        }
    }

    fn missing_field(field: &'static str) -> Self {
        ContentError::of_field(field, ContentErrorKind::Missing)
    }
}

/// The members of an object as they stand in the text; none if it is no object.
fn members(content: &str) -> Vec<(String, &RawValue)> {
    struct Members;

    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(String, &'de RawValue)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = map.next_entry()? {
                members.push(member);
            }
            Ok(members)
        }
    }

    let mut reader = serde_json::Deserializer::from_str(content);
    reader.deserialize_map(Members).unwrap_or_default()
}

/// Deserializes member by member, so that a failure is known to belong to one field.
struct Slow<'de>(Vec<(String, &'de RawValue)>);

impl<'de> Deserializer<'de> for Slow<'de> {
    type Error = ContentError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ContentError> {
        visitor.visit_map(SlowMap {
            members: self.0.into_iter(),
            current: None,
        })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct SlowMap<'de> {
    members: std::vec::IntoIter<(String, &'de RawValue)>,
    current: Option<(String, &'de RawValue)>,
}

impl<'de> MapAccess<'de> for SlowMap<'de> {
    type Error = ContentError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ContentError> {
        self.current = self.members.next();
        let Some((name, _)) = &self.current else {
            return Ok(None);
        };
        let name = de::value::StrDeserializer::<ContentError>::new(name);
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, ContentError> {
        let (name, value) = self
            .current
            .take()
            .expect("invariant: a key was read before its value");
        let mut reader = serde_json::Deserializer::from_str(value.get());
        seed.deserialize(&mut reader)
            .map_err(|_| ContentError::of_field(name, ContentErrorKind::NotAccepted))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq)]
    struct Even(u8);

    impl<'de> Deserialize<'de> for Even {
        fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
            let number = u8::deserialize(reader)?;
            if number % 2 == 0 {
                Ok(Even(number))
            } else {
                Err(de::Error::custom(format!("{number} is odd")))
            }
        }
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Pair {
        name: String,
        even: Even,
    }

    #[test]
    fn an_error_names_the_field_and_never_the_value() {
        let cases = [
            (
                r#"{"name":"hunter2","even":3}"#,
                Some("even"),
                "`even` is not accepted",
            ),
            (
                r#"{"name":7,"even":4}"#,
                Some("name"),
                "`name` is not accepted",
            ),
            (r#"{"name":"hunter2"}"#, Some("even"), "`even` is missing"),
            (r#"["hunter2"]"#, Some("name"), "`name` is missing"),
        ];
        for (content, field, text) in cases {
            let error = from_content::<Pair>(content).expect_err("refused");
            assert_eq!((error.field(), &*error.to_string()), (field, text));
            assert!(!format!("{error:?}").contains("hunter2"));
        }
        let whole = from_content::<String>("{}").expect_err("refused");
        assert_eq!(whole.to_string(), "the answer is not accepted");
    }

    #[test]
    fn what_is_accepted_is_read() {
        let pair = from_content::<Pair>(r#"{"name":"a","even":4}"#);
        assert_eq!(
            pair,
            Ok(Pair {
                name: "a".into(),
                even: Even(4)
            })
        );
    }
}
