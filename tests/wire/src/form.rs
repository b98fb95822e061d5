//! Whether a form stays in the subset of JSON Schema that the revision defines.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

use crate::Faults;

static FORM: LazyLock<Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(include_str!("../../data/elicitation-form.schema.json"))
        .expect("the committed schema is JSON");
    jsonschema::draft202012::new(&schema).expect("the committed schema is a schema")
});

/// Says what is wrong with a `requestedSchema`.
pub(crate) fn form_faults(schema: &Value) -> Faults {
    let mut faults: Faults = FORM
        .iter_errors(schema)
        .map(|error| {
            format!(
                "the form is outside the subset at `{}`: {error}",
                error.instance_path()
            )
        })
        .collect();
    let Some(properties) = schema["properties"].as_object() else {
        return faults;
    };
    for name in schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        if !properties.contains_key(name) {
            faults.push(format!("`required` names `{name}`, which is no field"));
        }
    }
    for (name, field) in properties {
        let mut found = Faults::new();
        field_faults(field, &mut found);
        faults.extend(
            found
                .into_iter()
                .map(|fault| format!("field `{name}`: {fault}")),
        );
    }
    faults
}

/// Says what is wrong with a `requestedSchema` of 2025-06-18, whose subset lies in today's.
pub(crate) fn older_form_faults(schema: &Value) -> Faults {
    let mut faults = Faults::new();
    let mut today = schema.clone();
    for (name, field) in today["properties"].as_object_mut().into_iter().flatten() {
        let Some(titles) = field
            .as_object_mut()
            .and_then(|field| field.remove("enumNames"))
        else {
            continue;
        };
        let count = |list: &Value| list.as_array().map(Vec::len);
        if count(&titles).is_none() || count(&titles) != count(&field["enum"]) {
            faults.push(format!(
                "field `{name}`: not one of `enumNames` for each choice"
            ));
        }
    }
    faults.extend(form_faults(&today));
    if schema.get("$schema").is_some() {
        faults.push("`$schema` came with a later revision".to_owned());
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        if field["type"] == "array" {
            faults.push(format!(
                "field `{name}`: multiple choices came with a later revision"
            ));
        }
        if field.get("oneOf").is_some() {
            faults.push(format!(
                "field `{name}`: choices have their titles in `enumNames`"
            ));
        }
        if field.get("default").is_some() && field["type"] != "boolean" {
            faults.push(format!("field `{name}`: only a boolean has a `default`"));
        }
    }
    faults
}

/// What the subset's grammar cannot say: bounds in order, and a default that fits its own field.
fn field_faults(field: &Value, faults: &mut Faults) {
    for (low, high) in [
        ("minLength", "maxLength"),
        ("minimum", "maximum"),
        ("minItems", "maxItems"),
    ] {
        let bound = |name: &str| field[name].as_f64();
        if let (Some(least), Some(most)) = (bound(low), bound(high))
            && least > most
        {
            faults.push(format!("`{low}` is above `{high}`"));
        }
    }
    let Some(default) = field.get("default") else {
        return;
    };
    let fits = jsonschema::draft202012::options()
        .should_validate_formats(true)
        .build(field)
        .is_ok_and(|validator| validator.is_valid(default));
    if !fits {
        faults.push("the default does not fit its own field".to_owned());
    }
}
