//! Choices known at run time only, and what the user picked from them.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::Deserialize;

use super::error::FormError;
use super::field::{Field, Kind};
use super::schema::FormSchema;
use super::{MAX_CHOICES, VALUE};
use crate::reply::{Accepted, OptionsQuestion};

/// One choice: the value that comes back, and the title that the user picks.
///
/// Made from a pair `(value, title)`, or from a text that is both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    value: String,
    title: String,
}

impl<V: Display, T: Display> From<(V, T)> for Offer {
    fn from((value, title): (V, T)) -> Self {
        Self {
            value: value.to_string(),
            title: title.to_string(),
        }
    }
}

impl From<String> for Offer {
    fn from(text: String) -> Self {
        Self::from((text.as_str(), text.as_str()))
    }
}

impl From<&str> for Offer {
    fn from(text: &str) -> Self {
        Self::from((text, text))
    }
}

impl From<&String> for Offer {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

/// One of the offered values, whose type reads it back with [`FromStr`].
///
/// The answer stands as long as its value is offered under the title that the user picked.
#[derive(Clone, PartialEq, Eq)]
#[must_use = "the user picked something"]
pub struct Select<T = String>(T);

/// Any of the offered values, none of them twice.
#[derive(Clone, PartialEq, Eq)]
#[must_use = "the user picked something"]
pub struct MultiSelect<T = String>(Vec<T>);

impl<T> Select<T> {
    /// The value.
    #[must_use]
    pub fn value(&self) -> &T {
        &self.0
    }

    /// The value itself.
    #[must_use]
    pub fn into_value(self) -> T {
        self.0
    }
}

impl<T> MultiSelect<T> {
    /// The values, in the order in which they were picked.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.0
    }

    /// The values themselves.
    #[must_use]
    pub fn into_values(self) -> Vec<T> {
        self.0
    }
}

impl<T: FromStr + Send + 'static> Accepted for Select<T> {
    type Kind = OptionsQuestion;

    fn decode(content: &str) -> Result<Self, String> {
        let picked: One = serde_json::from_str(content).map_err(|_| refused())?;
        picked.value.parse().map(Self).map_err(|_| refused())
    }
}

impl<T: FromStr + Send + 'static> Accepted for MultiSelect<T> {
    type Kind = OptionsQuestion;

    const MANY: bool = true;

    fn decode(content: &str) -> Result<Self, String> {
        let picked: Many = serde_json::from_str(content).map_err(|_| refused())?;
        let values = picked.value.iter().map(|value| value.parse());
        values
            .collect::<Result<_, _>>()
            .map(Self)
            .map_err(|_| refused())
    }
}

fn refused() -> String {
    "`value` does not read as the type that the handler wants".into()
}

#[derive(Deserialize)]
struct One {
    value: String,
}

#[derive(Deserialize)]
struct Many {
    value: Vec<String>,
}

/// The form that offers the choices: one field `value`.
///
/// # Errors
/// When there is no choice, more than 256, two of one value, or a title that cannot be shown.
pub fn form_of_offers(
    offers: impl IntoIterator<Item = Offer>,
    many: bool,
) -> Result<FormSchema, FormError> {
    // One more than may be is enough to find that there are too many.
    let offers = offers.into_iter().take(MAX_CHOICES + 1);
    let pairs = offers.map(|offer| (offer.value, offer.title));
    let field = if many {
        let pairs: Vec<_> = pairs.collect();
        let all: RangeInclusive<u64> = 0..=pairs.len() as u64;
        Field::choices(VALUE, pairs, all)
    } else {
        Field::choice(VALUE, pairs)
    };
    FormSchema::new([field])
}

impl FormSchema {
    /// The picked values of an answer with their titles as this form shows them now.
    ///
    /// `content` has been read by this form, so that every value is offered.
    #[must_use]
    pub fn picked(&self, content: &str) -> Vec<(String, String)> {
        let [field] = self.fields() else {
            return Vec::new();
        };
        let values = match &field.kind {
            Kind::One { .. } => serde_json::from_str(content).map(|one: One| vec![one.value]),
            _ => serde_json::from_str(content).map(|many: Many| many.value),
        };
        let title = |value: &String| {
            let mut offers = self.offers();
            offers
                .find(|(offered, _)| offered == value)
                .map(|(_, title)| title.to_owned())
        };
        let values = values.unwrap_or_default().into_iter();
        values
            .filter_map(|value| title(&value).map(|title| (value, title)))
            .collect()
    }

    /// Whether the one field of a form of choices takes several.
    #[must_use]
    pub fn takes_several(&self) -> bool {
        let field = self.fields().first();
        field.is_some_and(|field| matches!(field.kind, Kind::Many { .. }))
    }

    /// The choices of the one field of a form of choices: value and title.
    pub fn offers(&self) -> impl Iterator<Item = (&str, &str)> {
        let choices = self.fields().first().map(|field| match &field.kind {
            Kind::One { choices, .. } | Kind::Many { choices, .. } => choices.as_slice(),
            _ => &[],
        });
        let choices = choices.unwrap_or_default().iter();
        choices.map(|choice| (choice.value.as_str(), choice.label()))
    }
}

impl<T> fmt::Debug for Select<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Select(..)")
    }
}

impl<T> fmt::Debug for MultiSelect<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MultiSelect({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_are_pairs_or_texts_that_are_both() {
        let form = form_of_offers([Offer::from((7, "Seven")), "8".into()], false).expect("a form");
        assert_eq!(
            form.requested_schema(),
            r#"{"type":"object","properties":{"value":{"type":"string","oneOf":[{"const":"7","title":"Seven"},{"const":"8","title":"8"}]}},"required":["value"]}"#
        );
        assert_eq!(
            form.picked(r#"{"value":"7"}"#),
            [("7".to_owned(), "Seven".to_owned())]
        );
        let one: Select<u8> = Select::decode(r#"{"value":"7"}"#).expect("a number");
        assert_eq!(one.into_value(), 7);
        assert!(Select::<u8>::decode(r#"{"value":"x"}"#).is_err());
        let many = MultiSelect::<u8>::decode(r#"{"value":["8","7"]}"#).expect("numbers");
        assert_eq!(many.values(), [8, 7]);
        let form = form_of_offers([Offer::from("a"), "b".into()], true).expect("a form");
        assert_eq!(
            form.picked(r#"{"value":["b"]}"#),
            [("b".to_owned(), "b".to_owned())]
        );
    }

    #[test]
    fn what_cannot_be_offered() {
        let many = (0..=MAX_CHOICES).map(|n| Offer::from((n, n)));
        let bad: [Vec<Offer>; 4] = [
            vec![],
            many.collect(),
            vec![("a", "A").into(), ("a", "B").into()],
            vec![("a", " ").into()],
        ];
        for offers in bad {
            assert!(form_of_offers(offers, false).is_err());
        }
        let most = (0..MAX_CHOICES).map(|n| Offer::from((n, n)));
        assert!(form_of_offers(most, true).is_ok());
    }
}
