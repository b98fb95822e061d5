//! Writes the JSON text of `requestedSchema`, member by member in one fixed order.
//!
//! It never goes through `serde_json::Map`, whose order depends on a feature that any crate in the
//! user's tree may turn on. A form is written in every round that asks it, so that everything goes into
//! one buffer.

use crate::json::write_string;

use super::field::{EXACT, Field, Kind, Offered, Span};

/// `{"type":"object","properties":{..},"required":[..]}`, without `required` if nothing is.
pub(crate) fn requested_schema(fields: &[Field]) -> String {
    let mut out = String::with_capacity(64 + 128 * fields.len());
    let mut schema = Object::open(&mut out);
    schema.text("type", "object");
    schema.member("properties", |out| properties(fields, out));
    if fields.iter().any(|field| field.required) {
        let required = fields.iter().filter(|field| field.required);
        schema.member("required", |out| texts(required.map(Field::name), out));
    }
    schema.close();
    out
}

fn properties(fields: &[Field], out: &mut String) {
    let mut object = Object::open(out);
    for field in fields {
        object.member(&field.name, |out| property(field, out));
    }
    object.close();
}

fn property(field: &Field, out: &mut String) {
    let mut object = Object::open(out);
    object.text("type", type_name(&field.kind));
    object.optional_text("title", field.title.as_deref());
    object.optional_text("description", field.description.as_deref());
    write_kind(&mut object, &field.kind);
    if let Some(default) = field.draft.as_ref().or(field.default.as_ref()) {
        object.member("default", |out| out.push_str(default));
    }
    object.close();
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

fn write_kind(object: &mut Object<'_>, kind: &Kind) {
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
            object.member("enum", |out| values(choices, out));
            let labels = choices.iter().map(Offered::label);
            object.member("enumNames", |out| texts(labels, out));
        }
        Kind::One { choices, .. } if is_titled(choices) => {
            object.member("oneOf", |out| titled(choices, out));
        }
        Kind::One { choices, .. } => object.member("enum", |out| values(choices, out)),
        Kind::Many { choices, count } => {
            object.span(["minItems", "maxItems"], *count, |bound| bound.to_string());
            object.member("items", |out| items(choices, out));
        }
    }
}

fn items(choices: &[Offered], out: &mut String) {
    let mut items = Object::open(out);
    if is_titled(choices) {
        items.member("anyOf", |out| titled(choices, out));
    } else {
        items.text("type", "string");
        items.member("enum", |out| values(choices, out));
    }
    items.close();
}

fn is_titled(choices: &[Offered]) -> bool {
    choices.iter().any(|choice| choice.title.is_some())
}

fn titled(choices: &[Offered], out: &mut String) {
    list(choices.iter(), out, |choice, out| {
        let mut option = Object::open(out);
        option.text("const", &choice.value);
        option.text("title", choice.label());
        option.close();
    });
}

fn values(choices: &[Offered], out: &mut String) {
    texts(choices.iter().map(|choice| &*choice.value), out);
}

fn texts<'a>(texts: impl Iterator<Item = &'a str>, out: &mut String) {
    list(texts, out, write_string);
}

fn list<T>(items: impl Iterator<Item = T>, out: &mut String, write: impl Fn(T, &mut String)) {
    out.push('[');
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
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
struct Object<'a> {
    out: &'a mut String,
    is_empty: bool,
}

impl<'a> Object<'a> {
    fn open(out: &'a mut String) -> Self {
        out.push('{');
        Object {
            out,
            is_empty: true,
        }
    }

    fn member(&mut self, key: &str, write: impl FnOnce(&mut String)) {
        if !self.is_empty {
            self.out.push(',');
        }
        self.is_empty = false;
        write_string(key, self.out);
        self.out.push(':');
        write(self.out);
    }

    fn text(&mut self, key: &str, value: &str) {
        self.member(key, |out| write_string(value, out));
    }

    fn optional_text(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(key, value);
        }
    }

    fn span<T>(&mut self, [min, max]: [&str; 2], span: Span<T>, write: fn(T) -> String) {
        for (key, bound) in [(min, span.min), (max, span.max)] {
            if let Some(bound) = bound {
                self.member(key, |out| out.push_str(&write(bound)));
            }
        }
    }

    fn close(self) {
        self.out.push('}');
    }
}
