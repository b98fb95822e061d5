//! What a schema says about values that reading them into the author's type does not check.

use serde_json::Value;

use super::{is_value, names_number, names_schemas};

/// Keywords that an author adds by an attribute and that serde does not look at.
const CONSTRAINTS: [&str; 20] = [
    "allOf",
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "if",
    "maxItems",
    "maxLength",
    "maxProperties",
    "minItems",
    "minLength",
    "minProperties",
    "multipleOf",
    "not",
    "pattern",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "uniqueItems",
];

/// Whether a schema says something about values that reading them into the type does not check.
///
/// The bounds of the integer types are known by their formats; they are the type's own. What the
/// members of a map are is checked by the type, too; that there are none is not.
pub(super) fn constrains(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => {
            let format = members.get("format").and_then(Value::as_str);
            let numeric = members.get("type").is_some_and(names_number);
            // As they stand: a bound may be a fraction, or beyond the integers of a type.
            let bounds = ["minimum", "maximum"].map(|name| members.get(name).cloned());
            CONSTRAINTS.iter().any(|name| members.contains_key(*name))
                || members
                    .get("additionalProperties")
                    .is_some_and(|others| !others.is_object())
                || (numeric && bounds != own_bounds(format).map(|bound| bound.map(Value::from)))
                || (!numeric && format.is_some())
                || members
                    .iter()
                    .any(|(keyword, member)| constrains_under(keyword, member))
        }
        Value::Array(items) => items.iter().any(constrains),
        _ => false,
    }
}

/// The same for what stands under a keyword: a value, a schema, or schemas by names of the
/// author's.
fn constrains_under(keyword: &str, member: &Value) -> bool {
    match member {
        Value::Object(named) if names_schemas(keyword) => named.values().any(constrains),
        _ => !is_value(keyword) && constrains(member),
    }
}

/// The bounds that schemars publishes for an integer type.
fn own_bounds(format: Option<&str>) -> [Option<i64>; 2] {
    match format {
        Some("uint8") => [Some(0), Some(255)],
        Some("uint16") => [Some(0), Some(65_535)],
        Some(format) if format.starts_with("uint") => [Some(0), None],
        Some("int8") => [Some(-128), Some(127)],
        Some("int16") => [Some(-32_768), Some(32_767)],
        _ => [None, None],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::of_arguments;
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    #[test]
    fn a_keyword_is_a_constraint_and_a_field_of_its_name_is_none() {
        let object = |members: Value| json!({"type": "object", "properties": members});
        for named in ["not", "if", "pattern", "contains", "format", "minimum"] {
            let field = object(json!({ named: {"type": "string"} }));
            assert!(!constrains(&field), "{field}");
        }
        for (keyword, value) in [
            ("not", json!({"required": ["a"]})),
            ("if", json!({"required": ["a"]})),
            ("allOf", json!([{"anyOf": [{"required": ["a"]}]}])),
            ("dependentRequired", json!({"a": ["b"]})),
            ("propertyNames", json!({"enum": ["a"]})),
            ("additionalProperties", json!(false)),
        ] {
            let mut schema = object(json!({"a": {"type": "string"}}));
            schema[keyword] = value;
            assert!(constrains(&schema), "{schema}");
            let nested = object(json!({ "inner": schema }));
            assert!(constrains(&nested), "{nested}");
        }
        let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
        assert!(!constrains(&map));
    }

    #[test]
    fn a_bound_of_any_number_is_a_constraint() {
        let number = |format: &str, minimum: Value| {
            let field = json!({"type": "number", "format": format, "minimum": minimum});
            json!({"type": "object", "properties": {"ratio": field}})
        };
        assert!(constrains(&number("double", json!(0.5))));
        assert!(constrains(&number("float", json!(0.0))));
        assert!(constrains(&number("uint64", json!(u64::MAX))));
        assert!(constrains(&number("int64", json!(-1.5))));
        assert!(!constrains(&number("uint64", json!(0))));
        #[derive(Deserialize, JsonSchema)]
        #[allow(dead_code, reason = "only its schema is looked at")]
        struct Ratio {
            #[schemars(range(min = 0.5, max = 1.5))]
            ratio: f64,
        }
        assert!(of_arguments::<Ratio>().1);
    }
}
