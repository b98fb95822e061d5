//! Turns what schemars says about a property into a field, and refuses what a form cannot say.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::docs;
use super::error::Misfit;
use super::field::{Field, Kind, Offered, Span};
use super::format::Format;

/// What the type of a field knows and its schema does not.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Hints {
    /// The choices in the author's order; schemars puts the undocumented ones first.
    pub(crate) order: Option<&'static [&'static str]>,
    /// Publish `enumNames`.
    pub(crate) enum_names: bool,
}

/// Makes a field of a property's schema; every keyword must be one that is understood.
pub(crate) fn field_from(name: &str, schema: &Value, hints: Hints) -> Result<Field, Misfit> {
    let mut keywords = Keywords::of(schema)?;
    let title = keywords.take("title");
    let description = keywords.take("description");
    let default = keywords.take("default").filter(|value| !value.is_null());
    let kind = kind(&mut keywords, hints)?;
    keywords.none_left()?;
    let (title, description) = docs::split(
        title.and_then(Value::as_str),
        description.and_then(Value::as_str),
    );
    let mut field = Field::new(name, kind);
    field.title = title;
    field.description = description;
    field.default = default.map(Value::to_string);
    Ok(field)
}

fn kind(keywords: &mut Keywords<'_>, hints: Hints) -> Result<Kind, Misfit> {
    if let Some(choices) = choices(keywords, hints.order)? {
        let enum_names = hints.enum_names;
        return Ok(Kind::One {
            choices,
            enum_names,
        });
    }
    match keywords.type_name() {
        Some("string") => text(keywords),
        Some("integer") => integer(keywords),
        Some("number") => number(keywords),
        Some("boolean") => Ok(Kind::Boolean),
        Some("array") => many(keywords, hints.order),
        Some(other) => Err(Misfit::new(
            format!("its type is `{other}`"),
            "a form is flat: its fields are texts, numbers, booleans, dates and choices",
        )),
        None => Err(Misfit::new(
            "its schema names no type",
            "give the schema a type with `#[schemars(with = \"..\")]`",
        )),
    }
}

fn text(keywords: &mut Keywords<'_>) -> Result<Kind, Misfit> {
    let format = keywords.take("format").and_then(Value::as_str);
    let known = format.map(|name| Format::ALL.into_iter().find(|format| format.name() == name));
    if known == Some(None) {
        return Err(Misfit::keyword("format"));
    }
    Ok(Kind::Text {
        length: keywords.counts("minLength", "maxLength")?,
        format: known.flatten(),
    })
}

/// The author's bounds within those of the type.
fn integer(keywords: &mut Keywords<'_>) -> Result<Kind, Misfit> {
    let own = match keywords.take("format").and_then(Value::as_str) {
        None => Span::of(i128::from(i64::MIN), i128::from(u64::MAX)),
        Some(format) => type_bounds(format).ok_or_else(|| Misfit::keyword("format"))?,
    };
    let min = keywords.whole("minimum", f64::ceil)?;
    let max = keywords.whole("maximum", f64::floor)?;
    Ok(Kind::Integer(Span {
        min: own.min.max(min),
        max: match (own.max, max) {
            (Some(own), Some(max)) => Some(own.min(max)),
            (own, max) => own.or(max),
        },
    }))
}

/// The bounds behind schemars' names of the integer types.
fn type_bounds(format: &str) -> Option<Span<i128>> {
    let (min, max) = match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" => (i64::MIN.into(), i64::MAX.into()),
        "int" => (isize::MIN as i128, isize::MAX as i128),
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint64" => (0, u64::MAX.into()),
        "uint" => (0, usize::MAX as i128),
        _ => return None,
    };
    Some(Span::of(min, max))
}

fn number(keywords: &mut Keywords<'_>) -> Result<Kind, Misfit> {
    let single_precision = match keywords.take("format").and_then(Value::as_str) {
        None | Some("double") => false,
        Some("float") => true,
        Some(_) => return Err(Misfit::keyword("format")),
    };
    let range = Span {
        min: keywords.take("minimum").and_then(Value::as_f64),
        max: keywords.take("maximum").and_then(Value::as_f64),
    };
    Ok(Kind::Number {
        range,
        single_precision,
    })
}

fn many(keywords: &mut Keywords<'_>, order: Option<&[&str]>) -> Result<Kind, Misfit> {
    let only_choices = || {
        Misfit::new(
            "it is a list of something else than choices",
            "a list field is a `Vec` of an enum with `#[derive(Form)]`",
        )
    };
    // That nothing may be picked twice holds for every form, and is no keyword of the subset.
    keywords.take("uniqueItems");
    let items = keywords.take("items").ok_or_else(only_choices)?;
    let mut items = Keywords::of(items)?;
    // What describes one choice as a type is no help beside a list of them.
    items.take("title");
    items.take("description");
    let choices = choices(&mut items, order)?.ok_or_else(only_choices)?;
    items.none_left()?;
    Ok(Kind::Many {
        choices,
        count: keywords.counts("minItems", "maxItems")?,
    })
}

/// The choices of an enum in the author's order; none if the schema is no choice.
fn choices(
    keywords: &mut Keywords<'_>,
    order: Option<&[&str]>,
) -> Result<Option<Vec<Offered>>, Misfit> {
    let mut choices = if let Some(options) = keywords.take("oneOf") {
        titled(options)?
    } else if let Some(values) = keywords.take("enum") {
        plain(values)?
    } else if let Some(only) = keywords.take("const") {
        vec![Offered::plain(as_choice(only)?)]
    } else {
        return Ok(None);
    };
    if let Some(order) = order {
        let place = |choice: &Offered| order.iter().position(|name| *name == choice.value);
        choices.sort_by_key(|choice| place(choice).unwrap_or(order.len()));
    }
    Ok(Some(choices))
}

/// schemars gives each documented variant its own entry and all others one together.
fn titled(options: &Value) -> Result<Vec<Offered>, Misfit> {
    let options = options.as_array().ok_or_else(|| Misfit::keyword("oneOf"))?;
    let mut choices = Vec::new();
    for option in options {
        let mut option = Keywords::of(option)?;
        if let Some(values) = option.take("enum") {
            choices.extend(plain(values)?);
        } else {
            let value = option.take("const").ok_or_else(not_unit)?;
            let title = option.take("title").and_then(Value::as_str);
            let text = option.take("description").and_then(Value::as_str);
            choices.push(Offered {
                value: as_choice(value)?,
                // The subset has no place for what a choice's comment says beyond its title.
                title: docs::split(title, text).0,
            });
        }
        option.none_left()?;
    }
    Ok(choices)
}

fn plain(values: &Value) -> Result<Vec<Offered>, Misfit> {
    let values = values.as_array().ok_or_else(|| Misfit::keyword("enum"))?;
    let values = values.iter().filter(|value| !value.is_null());
    values
        .map(|value| as_choice(value).map(Offered::plain))
        .collect()
}

fn as_choice(value: &Value) -> Result<String, Misfit> {
    value.as_str().map(str::to_owned).ok_or_else(not_unit)
}

fn not_unit() -> Misfit {
    Misfit::new(
        "one of its choices is no text",
        "a choice is an enum of variants without fields",
    )
}

/// The keywords of one schema, each taken by the code that understands it.
struct Keywords<'a> {
    left: BTreeMap<&'a str, &'a Value>,
}

impl<'a> Keywords<'a> {
    /// Collects the keywords, seeing through `Option`: "X or null" is X, for a field that may be
    /// absent is only left out of `required`.
    fn of(schema: &'a Value) -> Result<Self, Misfit> {
        let object = schema.as_object().ok_or_else(|| {
            Misfit::new(
                "its schema allows everything",
                "give the field a type of its own",
            )
        })?;
        let mut left: BTreeMap<&str, &Value> =
            object.iter().map(|(key, value)| (&**key, value)).collect();
        if let Some(inner) = left.get("anyOf").and_then(|any| without_null(any)) {
            left.remove("anyOf");
            for (key, value) in inner {
                left.entry(key).or_insert(value);
            }
        }
        for annotation in [
            "$schema",
            "$comment",
            "deprecated",
            "examples",
            "readOnly",
            "writeOnly",
        ] {
            left.remove(annotation);
        }
        Ok(Keywords { left })
    }

    fn take(&mut self, keyword: &str) -> Option<&'a Value> {
        self.left.remove(keyword)
    }

    fn type_name(&mut self) -> Option<&'a str> {
        match self.take("type")? {
            Value::Array(types) => {
                let mut types = types
                    .iter()
                    .filter_map(Value::as_str)
                    .filter(|name| *name != "null");
                types.next().filter(|_| types.next().is_none())
            }
            name => name.as_str(),
        }
    }

    fn counts(&mut self, min: &str, max: &str) -> Result<Span<u64>, Misfit> {
        let mut count = |keyword| match self.take(keyword) {
            None => Ok(None),
            Some(value) => value
                .as_u64()
                .map(Some)
                .ok_or_else(|| Misfit::keyword(keyword)),
        };
        Ok(Span {
            min: count(min)?,
            max: count(max)?,
        })
    }

    /// A bound of whole numbers; one with a fraction is moved to the next number that meets it.
    fn whole(&mut self, keyword: &str, inward: fn(f64) -> f64) -> Result<Option<i128>, Misfit> {
        let Some(value) = self.take(keyword) else {
            return Ok(None);
        };
        let exact = value
            .as_i64()
            .map(i128::from)
            .or_else(|| value.as_u64().map(i128::from));
        let moved = || value.as_f64().map(|bound| inward(bound) as i128);
        exact
            .or_else(moved)
            .map(Some)
            .ok_or_else(|| Misfit::keyword(keyword))
    }

    fn none_left(&mut self) -> Result<(), Misfit> {
        // The kinds that know their type by other keywords leave it behind.
        self.take("type");
        match self.left.keys().next() {
            None => Ok(()),
            Some(keyword) => Err(Misfit::keyword(keyword)),
        }
    }
}

/// The schema beside `{"type":"null"}` in an `anyOf` of two.
fn without_null(any: &Value) -> Option<&Map<String, Value>> {
    let is_null = |schema: &&Value| schema.get("type").and_then(Value::as_str) == Some("null");
    let [first, second] = any.as_array()?.as_slice() else {
        return None;
    };
    match (is_null(&first), is_null(&second)) {
        (false, true) => first.as_object(),
        (true, false) => second.as_object(),
        _ => None,
    }
}
