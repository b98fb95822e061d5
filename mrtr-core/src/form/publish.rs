//! Writes the JSON text of `requestedSchema`, member by member in one fixed order.
//!
//! It never goes through `serde_json::Map`, whose order depends on a feature that any crate in the
//! user's tree may turn on.

use super::field::{EXACT, Field, Kind, Offered, Span};

/// `{"type":"object","properties":{..},"required":[..]}`, without `required` if nothing is.
pub(crate) fn requested_schema(fields: &[Field]) -> String {
    let mut properties = Object::new();
    for field in fields {
        properties.raw(&field.name, &property(field));
    }
    let mut schema = Object::new();
    schema.text("type", "object");
    schema.raw("properties", &properties.finish());
    let required = fields.iter().filter(|field| field.required);
    let names: Vec<&str> = required.map(Field::name).collect();
    if !names.is_empty() {
        schema.raw("required", &json(&names));
    }
    schema.finish()
}

fn property(field: &Field) -> String {
    let mut object = Object::new();
    object.text("type", type_name(&field.kind));
    object.optional_text("title", field.title.as_deref());
    object.optional_text("description", field.description.as_deref());
    write_kind(&mut object, &field.kind);
    if let Some(default) = &field.default {
        object.raw("default", default);
    }
    object.finish()
}

fn type_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Text { .. } | Kind::One { .. } => "string",
        Kind::Integer(_) => "integer",
        Kind::Number { .. } => "number",
        Kind::Boolean => "boolean",
        Kind::Many { .. } => "array",
    }
}

fn write_kind(object: &mut Object, kind: &Kind) {
    match kind {
        Kind::Text { length, format } => {
            object.span(["minLength", "maxLength"], *length, |bound| {
                bound.to_string()
            });
            object.optional_text("format", format.map(|format| format.name()));
        }
        Kind::Integer(range) => {
            let range = range.exact();
            object.span(["minimum", "maximum"], range, |bound| bound.to_string());
        }
        Kind::Number { range, .. } => object.span(["minimum", "maximum"], *range, number),
        Kind::Boolean => {}
        Kind::One {
            choices,
            enum_names,
        } if *enum_names => {
            object.raw("enum", &values(choices));
            let labels: Vec<&str> = choices.iter().map(Offered::label).collect();
            object.raw("enumNames", &json(&labels));
        }
        Kind::One { choices, .. } if is_titled(choices) => object.raw("oneOf", &titled(choices)),
        Kind::One { choices, .. } => object.raw("enum", &values(choices)),
        Kind::Many { choices, count } => {
            object.span(["minItems", "maxItems"], *count, |bound| bound.to_string());
            object.raw("items", &items(choices));
        }
    }
}

fn items(choices: &[Offered]) -> String {
    let mut items = Object::new();
    if is_titled(choices) {
        items.raw("anyOf", &titled(choices));
    } else {
        items.text("type", "string");
        items.raw("enum", &values(choices));
    }
    items.finish()
}

fn is_titled(choices: &[Offered]) -> bool {
    choices.iter().any(|choice| choice.title.is_some())
}

fn titled(choices: &[Offered]) -> String {
    let options = choices.iter().map(|choice| {
        let mut option = Object::new();
        option.text("const", &choice.value);
        option.text("title", choice.label());
        option.finish()
    });
    format!("[{}]", options.collect::<Vec<_>>().join(","))
}

fn values(choices: &[Offered]) -> String {
    let values: Vec<&str> = choices.iter().map(|choice| &*choice.value).collect();
    json(&values)
}

impl Span<i128> {
    /// The bounds that every JSON client keeps exactly.
    fn exact(self) -> Self {
        let exact = |bound: &i128| bound.abs() <= EXACT;
        Span {
            min: self.min.filter(exact),
            max: self.max.filter(exact),
        }
    }
}

/// A finite number as JSON, the shortest text that reads back as the same number.
///
/// The standard library writes it, because the float writers of JSON crates changed their form
/// between releases, and the text goes into published schemas.
pub(crate) fn number(value: f64) -> String {
    // Adding zero makes -0 the number that it is equal to.
    let value = value + 0.0;
    if value == 0.0 || (1e-6..1e21).contains(&value.abs()) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// A JSON object that keeps the order in which it is written.
struct Object {
    text: String,
}

impl Object {
    fn new() -> Self {
        Object {
            text: String::from("{"),
        }
    }

    fn raw(&mut self, key: &str, json_text: &str) {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        self.text.push_str(&json(key));
        self.text.push(':');
        self.text.push_str(json_text);
    }

    fn text(&mut self, key: &str, value: &str) {
        self.raw(key, &json(value));
    }

    fn optional_text(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(key, value);
        }
    }

    fn span<T>(&mut self, [min, max]: [&str; 2], span: Span<T>, write: fn(T) -> String) {
        for (key, bound) in [(min, span.min), (max, span.max)] {
            if let Some(bound) = bound {
                self.raw(key, &write(bound));
            }
        }
    }

    fn finish(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

fn json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("invariant: texts and finite numbers serialise")
}
