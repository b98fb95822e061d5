//! The answer to a form that was made at run time.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::reply::{Accepted, FieldsQuestion};

/// What the user filled into a form that has no type of its own: values by field name.
///
/// The values have been checked against the form. An optional field that was left empty has none.
/// `Debug` shows the names only.
#[derive(Clone, PartialEq)]
#[must_use = "the user filled it in"]
pub struct FormAnswer(BTreeMap<String, Value>);

impl Accepted for FormAnswer {
    type Kind = FieldsQuestion;

    fn decode(content: &str) -> Result<Self, String> {
        let members = serde_json::from_str(content).map_err(|_| "it is no object".to_owned())?;
        Ok(Self(members))
    }
}

impl FormAnswer {
    /// A text, a choice, a date or a moment.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field)?.as_str()
    }

    /// A whole number.
    #[must_use]
    pub fn integer(&self, field: &str) -> Option<i64> {
        self.0.get(field)?.as_i64()
    }

    /// A number.
    #[must_use]
    pub fn number(&self, field: &str) -> Option<f64> {
        self.0.get(field)?.as_f64()
    }

    /// A yes or no.
    #[must_use]
    pub fn boolean(&self, field: &str) -> Option<bool> {
        self.0.get(field)?.as_bool()
    }

    /// The choices of a field that takes several.
    #[must_use]
    pub fn choices(&self, field: &str) -> Option<Vec<&str>> {
        let items = self.0.get(field)?.as_array()?;
        items.iter().map(Value::as_str).collect()
    }

    /// A value as any type that reads itself from it.
    #[must_use]
    pub fn get<T: DeserializeOwned>(&self, field: &str) -> Option<T> {
        T::deserialize(self.0.get(field)?).ok()
    }

    /// The names of the fields that were filled in.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl fmt::Debug for FormAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_by_name_and_type() {
        let answer = FormAnswer::decode(r#"{"a":"x","b":3,"c":true,"d":["p","q"],"e":1.5}"#)
            .expect("an object");
        assert_eq!(answer.text("a"), Some("x"));
        assert_eq!(answer.integer("b"), Some(3));
        assert_eq!(answer.number("b"), Some(3.0));
        assert_eq!(answer.number("e"), Some(1.5));
        assert_eq!(answer.boolean("c"), Some(true));
        assert_eq!(answer.choices("d"), Some(vec!["p", "q"]));
        assert_eq!(answer.get::<u8>("b"), Some(3));
        assert_eq!(
            (answer.text("b"), answer.text("z"), answer.integer("e")),
            (None, None, None)
        );
        assert_eq!(format!("{answer:?}"), r#"["a", "b", "c", "d", "e"]"#);
    }
}
