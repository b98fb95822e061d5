//! JSON Schemas of arguments and results: from schemars' output to the bytes that are published.
//!
//! What is published never passes through a `serde_json::Map` unsorted: members are written in an
//! order of our own, so that a feature another crate switches on changes nothing.

mod constraints;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

use constraints::constrains;

/// The schema of a tool's arguments, and whether it says more than the type itself enforces.
pub(crate) fn of_arguments<T: JsonSchema + DeserializeOwned>() -> (Value, bool) {
    let mut value = raw::<T>(SchemaSettings::draft2020_12());
    let constrained = constrains(&value);
    tidy(&mut value);
    (value, constrained)
}

/// The author's order of a struct's fields, as they are named on the wire.
pub(crate) fn field_order<T: DeserializeOwned>() -> &'static [&'static str] {
    mrtr_core::form::order::fields_of::<T>().unwrap_or_default()
}

/// The schema of a structured result.
pub(crate) fn of_output<T: JsonSchema>() -> Schema {
    let mut value = raw::<T>(SchemaSettings::draft2020_12().for_serialize());
    tidy(&mut value);
    Schema::try_from(value).unwrap_or_default()
}

/// A schema without what only says how it came to be. A `$schema` that the author wrote stays.
fn raw<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let mut value = settings
        .with(|settings| settings.meta_schema = None)
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    if let Value::Object(root) = &mut value {
        root.remove("title");
    }
    value
}

/// Whether a keyword holds schemas by names of the author's, which mean nothing here.
fn names_schemas(keyword: &str) -> bool {
    matches!(keyword, "properties" | "$defs")
}

/// Whether a keyword holds values, not schemas.
fn is_value(keyword: &str) -> bool {
    matches!(keyword, "default" | "const" | "enum" | "examples")
}

/// Takes Rust's number formats, nulls for `Option` and null defaults out of a schema.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.get("default").is_some_and(Value::is_null) {
                members.remove("default");
            }
            let numeric = members.get("type").is_some_and(names_number);
            if numeric {
                members.remove("format");
            }
            drop_null(members);
            for (keyword, member) in members.iter_mut() {
                match member {
                    Value::Object(named) if names_schemas(keyword) => {
                        named.values_mut().for_each(tidy);
                    }
                    // Values are not schemas: a default or an enum stays as it is.
                    _ if is_value(keyword) => {}
                    _ => tidy(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

fn names_number(value: &Value) -> bool {
    match value {
        Value::String(name) => name == "integer" || name == "number",
        Value::Array(names) => names.iter().any(names_number),
        _ => false,
    }
}

/// An optional member is left out, never null: `Option` publishes its inner type.
fn drop_null(members: &mut serde_json::Map<String, Value>) {
    if let Some(Value::Array(types)) = members.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            members.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let Some(Value::Array(options)) = members.get_mut("anyOf") else {
        return;
    };
    options.retain(|option| option.get("type").is_none_or(|name| name != "null"));
    if options.len() == 1
        && let Some(Value::Object(only)) = options.pop()
    {
        members.remove("anyOf");
        for (name, member) in only {
            members.entry(name).or_insert(member);
        }
    }
}

/// Writes a JSON value with its members sorted by name; those of the root's `properties` stand in
/// `order` first.
pub(crate) fn write(value: &Value, order: &[&str]) -> String {
    let mut text = String::new();
    write_value(value, order, true, &mut text);
    text
}

fn write_value(value: &Value, order: &[&str], root: bool, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort_unstable();
            write_members(&names, members, text, |name, member, text| {
                if root && name == "properties" {
                    write_ordered(member, order, text);
                } else {
                    write_value(member, &[], false, text);
                }
            });
        }
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_value(item, &[], false, text);
            }
            text.push(']');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

fn write_ordered(properties: &Value, order: &[&str], text: &mut String) {
    let Value::Object(members) = properties else {
        return write_value(properties, &[], false, text);
    };
    let place = |name: &str| {
        order
            .iter()
            .position(|known| *known == name)
            .unwrap_or(order.len())
    };
    let mut names: Vec<&String> = members.keys().collect();
    names.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.cmp(b)));
    write_members(&names, members, text, |_, member, text| {
        write_value(member, &[], false, text)
    });
}

fn write_members(
    names: &[&String],
    members: &serde_json::Map<String, Value>,
    text: &mut String,
    mut each: impl FnMut(&str, &Value, &mut String),
) {
    text.push('{');
    for (index, name) in names.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&Value::String((*name).clone()).to_string());
        text.push(':');
        each(name, &members[name.as_str()], text);
    }
    text.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Plain {
        zeta: String,
        alpha: Option<u8>,
        #[serde(default)]
        nested: Vec<Inner>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Inner {
        size: i64,
        ratio: Option<f32>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Bounded {
        #[schemars(range(min = 1, max = 9))]
        count: u8,
    }

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Long {
        inner: Vec<Measured>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Measured {
        #[schemars(length(min = 1))]
        name: String,
    }

    #[test]
    fn a_published_schema_says_nothing_of_rust() {
        let (schema, constrained) = of_arguments::<Plain>();
        assert!(!constrained);
        assert_eq!(
            write(&schema, field_order::<Plain>()),
            concat!(
                r##"{"$defs":{"Inner":{"properties":{"ratio":{"type":"number"},"size":{"type":"integer"}},"##,
                r##""required":["size"],"type":"object"}},"properties":{"zeta":{"type":"string"},"##,
                r##""alpha":{"maximum":255,"minimum":0,"type":"integer"},"##,
                r##""nested":{"items":{"$ref":"#/$defs/Inner"},"type":"array"}},"##,
                r##""required":["zeta"],"type":"object"}"##,
            )
        );
    }

    #[test]
    fn constraints_are_told_from_the_bounds_of_types() {
        assert!(of_arguments::<Bounded>().1);
        assert!(of_arguments::<Long>().1);
    }

    #[test]
    fn a_dialect_that_the_author_names_is_published() {
        #[derive(Deserialize, JsonSchema)]
        #[schemars(extend("$schema" = "https://json-schema.org/draft/2020-12/schema"))]
        #[allow(dead_code, reason = "only its schema is looked at")]
        struct Named {
            a: String,
        }
        let (schema, _) = of_arguments::<Named>();
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
        assert!(schema.get("title").is_none());
    }

    #[test]
    fn a_field_named_like_a_keyword_is_a_field() {
        for name in ["default", "const", "enum", "examples", "properties"] {
            let field = json!({"type": ["integer", "null"], "format": "int32", "minimum": 1});
            let mut schema = json!({"type": "object", "properties": {name: field}});
            assert!(constrains(&schema), "{name}");
            tidy(&mut schema);
            let tidied = json!({"type": "integer", "minimum": 1});
            assert_eq!(schema["properties"][name], tidied, "{name}");
        }
    }

    #[test]
    fn null_goes_from_an_option_of_any_shape() {
        let mut schema = json!({"properties": {
            "a": {"type": ["integer", "null"], "format": "int32", "default": null},
            "b": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}], "description": "b"},
            "c": {"type": ["string", "null"], "enum": ["x", null]},
        }});
        tidy(&mut schema);
        let expected = json!({"properties": {
            "a": {"type": "integer"},
            "b": {"$ref": "#/$defs/B", "description": "b"},
            "c": {"type": "string", "enum": ["x"]},
        }});
        assert_eq!(schema, expected);
    }
}
