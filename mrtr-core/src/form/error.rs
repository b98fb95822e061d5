//! Says why a type or a hand-made field does not fit in a form, and what to do.

use std::fmt::{self, Display};

/// A form that cannot be sent, found when the server is built.
///
/// The text names the type and the field, the reason and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{place}` does not fit in a form: {misfit}")]
pub struct FormError {
    place: String,
    misfit: Misfit,
}

/// What is wrong with one field, before it is known whose field it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misfit {
    fact: String,
    remedy: &'static str,
}

impl FormError {
    pub(crate) fn new(place: impl Into<String>, misfit: Misfit) -> Self {
        FormError {
            place: place.into(),
            misfit,
        }
    }

    /// The error of one field of `owner`; a form made by hand has no owner.
    pub(crate) fn of_field(owner: Option<&str>, field: &str, misfit: Misfit) -> Self {
        let place = match owner {
            Some(owner) => format!("{owner}::{field}"),
            None => field.to_owned(),
        };
        FormError::new(place, misfit)
    }

    /// The type and field, such as `Traveller::email`.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }
}

impl Misfit {
    pub(crate) fn new(fact: impl Into<String>, remedy: &'static str) -> Self {
        Misfit {
            fact: fact.into(),
            remedy,
        }
    }

    /// A keyword of JSON Schema that MCP's form subset does not have.
    pub(crate) fn keyword(keyword: &str) -> Self {
        Misfit::new(format!("keyword `{keyword}`"), remedy_of(keyword))
    }
}

impl Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.fact, self.remedy)
    }
}

fn remedy_of(keyword: &str) -> &'static str {
    match keyword {
        "pattern" | "not" | "multipleOf" => {
            "remove it and check the value with `validate = path` on the ask"
        }
        "exclusiveMinimum" | "exclusiveMaximum" => {
            "a form has inclusive bounds only: write `range(min = .., max = ..)`"
        }
        "format" => "a form knows the formats email, uri, date and date-time",
        "properties" | "additionalProperties" | "prefixItems" | "$ref" | "required" => {
            "a form is flat: its fields are texts, numbers, booleans, dates and choices"
        }
        _ => {
            "a form has no such rule: remove it, or check the value with `validate = path` on the ask"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_type_field_reason_and_remedy() {
        let error = FormError::of_field(Some("Traveller"), "email", Misfit::keyword("pattern"));
        assert_eq!(
            error.to_string(),
            "`Traveller::email` does not fit in a form: keyword `pattern`; remove it and check the \
             value with `validate = path` on the ask"
        );
        assert_eq!(error.place(), "Traveller::email");
        let by_hand = FormError::of_field(None, "email", Misfit::keyword("x"));
        assert!(by_hand.to_string().starts_with("`email` does not fit"));
    }
}
