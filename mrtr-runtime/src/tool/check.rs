//! Holding arguments to what the tool publishes beyond their types.
//!
//! Reading arguments into the author's type checks types, names and integer bounds. Ranges,
//! lengths, patterns and the like stand only in the schema; they are checked with a validator that
//! is made once, and only for tools that publish any.

use std::fmt;

use serde_json::Value;

/// What arguments are held to, beside their types.
#[derive(Clone)]
pub(crate) enum ArgumentCheck {
    /// The types say it all.
    TypesOnly,
    /// The tool takes no arguments.
    Nothing,
    /// The schema has constraints.
    #[cfg(feature = "validate")]
    Schema(std::sync::Arc<jsonschema::Validator>),
    /// The schema cannot be checked; the server does not build with it.
    Unchecked(String),
}

impl ArgumentCheck {
    /// What a tool with arguments of this schema needs.
    pub(crate) fn new(schema: &Value, constrained: bool) -> Self {
        if constrained {
            Self::of_schema(schema)
        } else {
            Self::TypesOnly
        }
    }

    #[cfg(feature = "validate")]
    fn of_schema(schema: &Value) -> Self {
        let validator = jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            .should_validate_formats(true)
            .build(schema);
        match validator {
            Ok(validator) => Self::Schema(std::sync::Arc::new(validator)),
            Err(error) => Self::Unchecked(format!("its argument schema is not valid: {error}")),
        }
    }

    #[cfg(not(feature = "validate"))]
    fn of_schema(_schema: &Value) -> Self {
        Self::Unchecked(
            "its arguments have ranges, lengths or patterns, which are checked only with mrtr's \
             feature `validate`; turn it on or drop those attributes"
                .into(),
        )
    }

    /// Why the server cannot be built with it.
    pub(crate) fn problem(&self) -> Option<&str> {
        match self {
            Self::Unchecked(why) => Some(why),
            _ => None,
        }
    }

    /// Looks at the arguments of one call.
    ///
    /// # Errors
    /// What is wrong with them, for the model to read.
    pub(crate) fn run(&self, arguments: Option<&str>) -> Result<(), String> {
        let text = arguments.unwrap_or("{}");
        match self {
            Self::TypesOnly | Self::Unchecked(_) => Ok(()),
            Self::Nothing if serde_json::from_str::<Empty>(text).is_ok() => Ok(()),
            Self::Nothing => Err("invalid arguments: this tool takes none".into()),
            #[cfg(feature = "validate")]
            Self::Schema(validator) => validate(validator, text),
        }
    }
}

#[cfg(feature = "validate")]
fn validate(validator: &jsonschema::Validator, text: &str) -> Result<(), String> {
    let value: Value = serde_json::from_str(text).map_err(|_| "invalid arguments: not JSON")?;
    let wrong: Vec<String> = validator
        .iter_errors(&value)
        .take(8)
        .map(|error| match error.instance_path().as_str() {
            "" => error.to_string(),
            path => format!("`{}`: {error}", path.trim_start_matches('/')),
        })
        .collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("invalid arguments: {}", wrong.join("; ")))
    }
}

/// An object without members.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Empty {}

impl fmt::Debug for ArgumentCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TypesOnly => "TypesOnly",
            Self::Nothing => "Nothing",
            #[cfg(feature = "validate")]
            Self::Schema(_) => "Schema",
            Self::Unchecked(_) => "Unchecked",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "validate")]
    use serde_json::json;

    fn run(check: &ArgumentCheck, arguments: &str) -> Result<(), String> {
        check.run(Some(arguments))
    }

    #[test]
    fn a_tool_without_arguments_takes_none() {
        let check = ArgumentCheck::Nothing;
        assert_eq!(check.run(None), Ok(()));
        assert_eq!(run(&check, "{}"), Ok(()));
        assert!(run(&check, r#"{"x":1}"#).is_err());
    }

    #[cfg(feature = "validate")]
    #[test]
    fn constraints_are_checked_and_every_broken_one_named() {
        let schema = json!({"type": "object", "properties": {
            "count": {"type": "integer", "minimum": 1, "maximum": 9},
            "name": {"type": "string", "minLength": 2, "pattern": "^[a-z]+$"},
            "mail": {"type": "string", "format": "email"},
        }});
        let check = ArgumentCheck::new(&schema, true);
        assert_eq!(
            run(&check, r#"{"count":9,"name":"ab","mail":"a@b.example"}"#),
            Ok(())
        );
        let said = run(&check, r#"{"count":0,"name":"A","mail":"x"}"#).expect_err("three mistakes");
        for part in [
            "`count`: 0 is less than the minimum of 1",
            "`name`",
            "`mail`",
        ] {
            assert!(said.contains(part), "{said}");
        }
    }

    #[cfg(feature = "validate")]
    #[test]
    fn arguments_without_properties_of_their_own_are_checked_as_any() {
        let variant = |name: &str| {
            json!({"type": "object", "properties": {
                "kind": {"const": name}, "size": {"type": "integer", "maximum": 9},
            }, "required": ["kind", "size"]})
        };
        let schema = json!({"type": "object", "oneOf": [variant("a"), variant("b")]});
        let check = ArgumentCheck::new(&schema, true);
        assert_eq!(run(&check, r#"{"kind":"b","size":9}"#), Ok(()));
        assert!(run(&check, r#"{"kind":"b","size":10}"#).is_err());
    }

    #[cfg(feature = "validate")]
    #[test]
    fn a_schema_that_is_none_is_a_problem() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "nothing"}}});
        assert!(ArgumentCheck::new(&schema, true).problem().is_some());
    }
}
