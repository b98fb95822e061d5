//! JSON Schemas of arguments and results: from schemars' output to the bytes that are published.
//!
//! What is published never passes through a `serde_json::Map` unsorted: members are written in an
//! order of our own, so that a feature another crate switches on changes nothing.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The schema of a tool's arguments as JSON text, its properties in the author's order.
pub(crate) fn of_arguments<T: JsonSchema + DeserializeOwned>() -> Value {
    published::<T>(SchemaSettings::draft2020_12())
}

/// The author's order of a struct's fields, as they are named on the wire.
pub(crate) fn field_order<T: DeserializeOwned>() -> &'static [&'static str] {
    mrtr_core::form::order::fields_of::<T>().unwrap_or_default()
}

/// The schema of a structured result.
pub(crate) fn of_output<T: JsonSchema>() -> Schema {
    let value = published::<T>(SchemaSettings::draft2020_12().for_serialize());
    Schema::try_from(value).unwrap_or_default()
}

/// Takes out what only says how the schema came to be.
fn published<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let mut value = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    if let Value::Object(root) = &mut value {
        root.remove("$schema");
        root.remove("title");
    }
    tidy(&mut value);
    value
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
            for (name, member) in members.iter_mut() {
                // Values are not schemas: a default or an enum stays as it is.
                if !matches!(name.as_str(), "default" | "const" | "enum" | "examples") {
                    tidy(member);
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
