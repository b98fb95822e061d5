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
#[must_use]
pub fn form_faults(schema: &Value) -> Faults {
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
