//! One field of a form: what it may hold, in words and as a check.

use jsonschema::draft202012;
use serde_json::Value;

use super::text::visible;

/// A field with the JSON Schema that the server published for it.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    /// The member of the answer that it fills.
    pub(crate) name: String,
    /// Whether the answer must have it.
    pub(crate) required: bool,
    schema: Value,
}

/// What a field holds, and so how a person fills it in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Anything typed, numbers too.
    Typed,
    /// Yes or no.
    Boolean,
    /// One of the choices.
    One,
    /// Some of the choices.
    Many,
}

/// One choice: what is sent and what is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) title: String,
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.title)
    }
}

impl Field {
    pub(crate) fn new(name: &str, required: bool, schema: Value) -> Self {
        Self {
            name: name.to_owned(),
            required,
            schema,
        }
    }

    /// The server's title, or the name.
    pub(crate) fn title(&self) -> String {
        visible(self.schema["title"].as_str().unwrap_or(&self.name))
    }

    /// The server's further words, if it has any.
    pub(crate) fn description(&self) -> Option<String> {
        self.schema["description"].as_str().map(visible)
    }

    /// The draft that the server offers, if it does.
    pub(crate) fn default(&self) -> Option<&Value> {
        self.schema.get("default")
    }

    pub(crate) fn kind(&self) -> Kind {
        match self.schema["type"].as_str() {
            Some("boolean") => Kind::Boolean,
            Some("array") => Kind::Many,
            _ if self.choices().is_empty() => Kind::Typed,
            _ => Kind::One,
        }
    }

    pub(crate) fn choices(&self) -> Vec<Choice> {
        let items = [&self.schema, &self.schema["items"]];
        let lists = items
            .into_iter()
            .flat_map(|from| [&from["enum"], &from["oneOf"], &from["anyOf"]]);
        let choices = lists.filter_map(Value::as_array).flatten();
        choices
            .filter_map(|choice| {
                let value = choice.as_str().or_else(|| choice["const"].as_str())?;
                let title = choice["title"].as_str().unwrap_or(value);
                Some(Choice {
                    value: value.to_owned(),
                    title: visible(title),
                })
            })
            .collect()
    }

    /// What was typed, as a value of the field's type.
    pub(crate) fn parse(&self, typed: &str) -> Value {
        match self.schema["type"].as_str() {
            Some("integer" | "number") => {
                serde_json::from_str(typed.trim()).unwrap_or_else(|_| Value::from(typed))
            }
            _ => Value::from(typed),
        }
    }

    /// Why the value does not fit, if it does not.
    pub(crate) fn complaint(&self, value: &Value) -> Option<String> {
        let built = draft202012::options()
            .should_validate_formats(true)
            .build(&self.schema);
        let validator = built.ok()?;
        validator
            .validate(value)
            .err()
            .map(|error| error.to_string())
    }

    /// Title, description and bounds on one line.
    pub(crate) fn describe(&self) -> String {
        let mut line = self.title();
        if let Some(description) = self.description() {
            line = format!("{line} ({})", description.replace('\n', " "));
        }
        let need = if self.required {
            ""
        } else {
            ", may stay empty"
        };
        let default = self
            .default()
            .map(|default| format!(", {default} unless changed"));
        format!(
            "{line}: {}{need}{}",
            self.bounds(),
            default.unwrap_or_default()
        )
    }

    /// What may be filled in.
    pub(crate) fn bounds(&self) -> String {
        let what = match (
            self.kind(),
            self.schema["format"].as_str(),
            self.schema["type"].as_str(),
        ) {
            (Kind::Boolean, ..) => return "yes or no".to_owned(),
            (Kind::One | Kind::Many, ..) => self.choice_words(),
            (_, Some("email"), _) => "an e-mail address".to_owned(),
            (_, Some("uri"), _) => "a URI".to_owned(),
            (_, Some("date"), _) => "a date such as 2026-07-28".to_owned(),
            (_, Some("date-time"), _) => "a time such as 2026-07-28T10:00:00Z".to_owned(),
            (_, _, Some("integer")) => "a whole number".to_owned(),
            (_, _, Some("number")) => "a number".to_owned(),
            _ => "text".to_owned(),
        };
        let ranges = [
            ("minimum", "maximum", ""),
            ("minLength", "maxLength", " characters"),
            ("minItems", "maxItems", " choices"),
        ];
        let ranges = ranges
            .iter()
            .filter_map(|(low, high, unit)| self.range(low, high, unit));
        std::iter::once(what)
            .chain(ranges)
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn choice_words(&self) -> String {
        let titles: Vec<_> = self
            .choices()
            .into_iter()
            .map(|choice| choice.title)
            .collect();
        let how = if self.kind() == Kind::One {
            "one of"
        } else {
            "any of"
        };
        format!("{how} {}", titles.join(" / "))
    }

    fn range(&self, low: &str, high: &str, unit: &str) -> Option<String> {
        let bound = |name: &str| self.schema.get(name).map(Value::to_string);
        match (bound(low), bound(high)) {
            (Some(least), Some(most)) => Some(format!("{least} to {most}{unit}")),
            (Some(least), None) => Some(format!("at least {least}{unit}")),
            (None, Some(most)) => Some(format!("at most {most}{unit}")),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Field, Kind};

    fn field(schema: Value) -> Field {
        Field::new("f", true, schema)
    }

    #[test]
    fn each_kind_of_field_says_what_it_takes() {
        let table = [
            (
                json!({"type": "string", "minLength": 1, "maxLength": 80}),
                Kind::Typed,
                "text, 1 to 80 characters",
            ),
            (
                json!({"type": "string", "format": "email"}),
                Kind::Typed,
                "an e-mail address",
            ),
            (
                json!({"type": "integer", "minimum": 18}),
                Kind::Typed,
                "a whole number, at least 18",
            ),
            (json!({"type": "boolean"}), Kind::Boolean, "yes or no"),
            (
                json!({"type": "string", "enum": ["a", "b"]}),
                Kind::One,
                "one of a / b",
            ),
            (
                json!({"type": "string", "oneOf": [{"const": "a", "title": "Ah"}]}),
                Kind::One,
                "one of Ah",
            ),
            (
                json!({"type": "array", "items": {"type": "string", "enum": ["a"]}, "maxItems": 1}),
                Kind::Many,
                "any of a, at most 1 choices",
            ),
            (
                json!({"type": "array", "items": {"anyOf": [{"const": "a", "title": "Ah"}]}}),
                Kind::Many,
                "any of Ah",
            ),
        ];
        for (schema, kind, words) in table {
            let field = field(schema);
            assert_eq!((field.kind(), field.bounds().as_str()), (kind, words));
        }
    }

    #[test]
    fn what_does_not_fit_is_said_before_it_is_sent() {
        let age = field(json!({"type": "integer", "minimum": 18}));
        assert_eq!(age.complaint(&age.parse("30")), None);
        assert!(age.complaint(&age.parse("17")).is_some());
        assert!(age.complaint(&age.parse("many")).is_some());
        let email = field(json!({"type": "string", "format": "email"}));
        assert!(email.complaint(&json!("nobody")).is_some());
        assert_eq!(email.complaint(&json!("ada@example.org")), None);
    }
}
