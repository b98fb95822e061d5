//! What is wrong with an answer, in words that never repeat the answer.

use std::fmt::{self, Display};

use super::format::Format;

/// The most problems that one reason lists.
const LISTED: usize = 5;

/// One rule of a form that an answer broke.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    field: Option<String>,
    rule: Rule,
}

/// The rule that was broken.
///
/// Its text continues a sentence that begins with the field's name.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Rule {
    /// The answer as a whole must be an object.
    Object,
    /// The field is required.
    Missing,
    /// The field stands twice in the answer.
    Twice,
    /// The field must be a text.
    Text,
    /// The field must be a whole number.
    Integer,
    /// The field must be a number.
    Number,
    /// The field must be `true` or `false`.
    Boolean,
    /// The field must be a list.
    List,
    /// The text is shorter than this many characters.
    TooShort(u64),
    /// The text is longer than this many characters.
    TooLong(u64),
    /// The text does not have the format.
    Format(Format),
    /// The number is below this bound, written as in JSON.
    TooSmall(String),
    /// The number is above this bound, written as in JSON.
    TooLarge(String),
    /// The value is not one of the choices.
    NotOffered,
    /// Fewer choices than this were made.
    TooFew(u64),
    /// More choices than this were made.
    TooMany(u64),
    /// One choice was made twice.
    Repeated,
    /// The form allows the value, but the type that reads it does not.
    NotAccepted,
}

impl Problem {
    pub(crate) fn of_field(field: &str, rule: Rule) -> Self {
        Problem {
            field: Some(field.to_owned()),
            rule,
        }
    }

    pub(crate) fn of_answer(rule: Rule) -> Self {
        Problem { field: None, rule }
    }

    /// The field's name; none if the answer as a whole is wrong.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.field.as_deref()
    }

    /// The rule that was broken.
    #[must_use]
    pub fn rule(&self) -> &Rule {
        &self.rule
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "`{field}` {}", self.rule),
            None => write!(f, "the answer {}", self.rule),
        }
    }
}

impl Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Object => f.write_str("must be an object"),
            Rule::Missing => f.write_str("is missing"),
            Rule::Twice => f.write_str("is given twice"),
            Rule::Text => f.write_str("must be a text"),
            Rule::Integer => f.write_str("must be a whole number"),
            Rule::Number => f.write_str("must be a number"),
            Rule::Boolean => f.write_str("must be true or false"),
            Rule::List => f.write_str("must be a list of choices"),
            Rule::TooShort(min) => write!(f, "must have at least {}", counted(*min, "character")),
            Rule::TooLong(max) => write!(f, "must have at most {}", counted(*max, "character")),
            Rule::Format(format) => write!(f, "must be {}", format.words()),
            Rule::TooSmall(min) => write!(f, "must be at least {min}"),
            Rule::TooLarge(max) => write!(f, "must be at most {max}"),
            Rule::NotOffered => f.write_str("must be one of the offered choices"),
            Rule::TooFew(min) => write!(f, "needs at least {}", counted(*min, "choice")),
            Rule::TooMany(max) => write!(f, "takes at most {}", counted(*max, "choice")),
            Rule::Repeated => f.write_str("must not hold a choice twice"),
            Rule::NotAccepted => f.write_str("is not accepted"),
        }
    }
}

/// Joins problems to one sentence for the next question, the first few in full.
#[must_use]
pub fn reason(problems: &[Problem]) -> String {
    let shown: Vec<String> = problems
        .iter()
        .take(LISTED)
        .map(Problem::to_string)
        .collect();
    let mut sentence = shown.join("; ");
    if problems.len() > LISTED {
        sentence.push_str(&format!("; and {} more", problems.len() - LISTED));
    }
    sentence
}

fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_one_sentence() {
        let problems = [
            Problem::of_field("age", Rule::TooSmall("18".into())),
            Problem::of_field("name", Rule::TooShort(1)),
        ];
        assert_eq!(
            reason(&problems),
            "`age` must be at least 18; `name` must have at least 1 character"
        );
        assert_eq!(reason(&[]), "");
        let many = vec![Problem::of_answer(Rule::Object); 7];
        assert!(reason(&many).ends_with("the answer must be an object; and 2 more"));
    }
}
