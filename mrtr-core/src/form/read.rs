//! Validates the content of an answer and writes it in its normal form.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::field::{Field, Kind, Offered, Span};
use super::format::Format;
use super::problem::{Problem, Rule};
use super::publish;

use crate::json::{Json, write_string};

/// Reads the content member by member; every broken rule is reported, in the order of the fields.
pub(crate) fn content(fields: &[Field], content: Option<&str>) -> Result<String, Vec<Problem>> {
    // A content of `null` is how some clients write that there is none.
    let text = content.filter(|text| text.trim() != "null").unwrap_or("{}");
    let json = Json::scan(text).map_err(|_| vec![Problem::of_answer(Rule::Object)])?;
    let members = members(fields, &json).map_err(|problem| vec![problem])?;
    let mut normal = String::with_capacity(text.len() + 2);
    let mut problems = Vec::new();
    normal.push('{');
    for (field, given) in fields.iter().zip(members) {
        let before = normal.len();
        if let Err(rule) = member(field, given, &mut normal) {
            normal.truncate(before);
            problems.push(Problem::of_field(&field.name, rule));
        }
    }
    normal.push('}');
    if problems.is_empty() {
        Ok(normal)
    } else {
        Err(problems)
    }
}

/// Writes one member, or nothing for an optional field that is absent.
fn member(field: &Field, given: Given<'_>, normal: &mut String) -> Result<(), Rule> {
    let (raw, checked) = match given {
        Given::Twice => return Err(Rule::Twice),
        // `null` stands for no value where there may be none; elsewhere it has the wrong type.
        Given::Once(raw) if raw == "null" && !field.required => (field.default.as_deref(), true),
        Given::Once(raw) => (Some(raw), false),
        Given::Absent if field.required => return Err(Rule::Missing),
        Given::Absent => (field.default.as_deref(), true),
    };
    let Some(raw) = raw else {
        return Ok(());
    };
    if normal.len() > 1 {
        normal.push(',');
    }
    write_string(&field.name, normal);
    normal.push(':');
    if checked {
        normal.push_str(raw);
        return Ok(());
    }
    value(&field.kind, raw, normal)
}

/// Checks one JSON value against what a field takes, and writes its normal form.
pub(crate) fn value(kind: &Kind, raw: &str, normal: &mut String) -> Result<(), Rule> {
    match kind {
        Kind::Text { length, format } => text(raw, *length, *format, normal),
        Kind::Integer(range) => integer(raw, *range, normal),
        Kind::Number {
            range,
            single_precision,
        } => number(raw, *range, *single_precision, normal),
        Kind::Boolean if matches!(raw, "true" | "false") => {
            normal.push_str(raw);
            Ok(())
        }
        Kind::Boolean => Err(Rule::Boolean),
        Kind::One { choices, .. } => {
            let chosen = as_text(raw).ok_or(Rule::NotOffered)?;
            offered(choices, &chosen)?;
            write_string(&chosen, normal);
            Ok(())
        }
        Kind::Many { choices, count } => many(raw, choices, *count, normal),
    }
}

/// The length is judged before the format, so that no format check works on a text of any size.
fn text(
    raw: &str,
    length: Span<u64>,
    format: Option<Format>,
    normal: &mut String,
) -> Result<(), Rule> {
    let text = as_text(raw).ok_or(Rule::Text)?;
    let characters = text.chars().count() as u64;
    within(characters, length, Rule::TooShort, Rule::TooLong)?;
    match format {
        Some(format) if !format.accepts(&text) => Err(Rule::Format(format)),
        _ => {
            write_string(&text, normal);
            Ok(())
        }
    }
}

fn integer(raw: &str, range: Span<i128>, normal: &mut String) -> Result<(), Rule> {
    let number = whole(raw).ok_or(Rule::Integer)?;
    let shown = |bound: i128| bound.to_string();
    within(
        number,
        range,
        |min| Rule::TooSmall(shown(min)),
        |max| Rule::TooLarge(shown(max)),
    )?;
    normal.push_str(&number.to_string());
    Ok(())
}

/// A JSON number without a fraction, however it is written: `30`, `30.0`, `3e1`.
fn whole(raw: &str) -> Option<i128> {
    // Rust reads `+1` as well, which is no JSON; the JSON reader has refused it before.
    let plain = raw
        .split_once('.')
        .filter(|(_, zeros)| zeros.bytes().all(|digit| digit == b'0'));
    if let Ok(number) = plain.map_or(raw, |(plain, _)| plain).parse() {
        return Some(number);
    }
    let number = finite(raw)?;
    // The conversion saturates, far beyond the bounds of every type that may be a field.
    (number.fract() == 0.0).then_some(number as i128)
}

fn number(
    raw: &str,
    range: Span<f64>,
    single_precision: bool,
    normal: &mut String,
) -> Result<(), Rule> {
    let number = finite(raw).ok_or(Rule::Number)?;
    let shown = publish::number;
    within(
        number,
        range,
        |min| Rule::TooSmall(shown(min)),
        |max| Rule::TooLarge(shown(max)),
    )?;
    let single = Span::of(f64::from(f32::MIN), f64::from(f32::MAX));
    if single_precision {
        within(
            number,
            single,
            |min| Rule::TooSmall(shown(min)),
            |max| Rule::TooLarge(shown(max)),
        )?;
    }
    normal.push_str(&shown(number));
    Ok(())
}

fn many(raw: &str, choices: &[Offered], count: Span<u64>, normal: &mut String) -> Result<(), Rule> {
    let items: Vec<&RawValue> = serde_json::from_str(raw).map_err(|_| Rule::List)?;
    within(items.len() as u64, count, Rule::TooFew, Rule::TooMany)?;
    let mut seen = vec![false; choices.len()];
    normal.push('[');
    for (index, item) in items.into_iter().enumerate() {
        let chosen = as_text(item.get()).ok_or(Rule::NotOffered)?;
        let at = offered(choices, &chosen)?;
        if std::mem::replace(&mut seen[at], true) {
            return Err(Rule::Repeated);
        }
        if index > 0 {
            normal.push(',');
        }
        write_string(&chosen, normal);
    }
    normal.push(']');
    Ok(())
}

fn offered(choices: &[Offered], chosen: &str) -> Result<usize, Rule> {
    let at = choices.iter().position(|choice| choice.value == chosen);
    at.ok_or(Rule::NotOffered)
}

fn within<T: PartialOrd + Copy>(
    value: T,
    span: Span<T>,
    below: impl Fn(T) -> Rule,
    above: impl Fn(T) -> Rule,
) -> Result<(), Rule> {
    match span {
        Span { min: Some(min), .. } if value < min => Err(below(min)),
        Span { max: Some(max), .. } if value > max => Err(above(max)),
        _ => Ok(()),
    }
}

/// The number as the standard library reads it, which is exact; numbers beyond `f64` are none.
fn finite(raw: &str) -> Option<f64> {
    let starts_as_number = raw.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    let number: f64 = raw.parse().ok().filter(|_| starts_as_number)?;
    number.is_finite().then_some(number)
}

/// The text of a JSON string; none for any other value.
fn as_text(raw: &str) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str(raw).map(Cow::Owned).ok()
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// What the answer holds for one field.
#[derive(Clone, Copy)]
enum Given<'a> {
    Absent,
    Once(&'a str),
    Twice,
}

/// Finds the members of the known fields; others are passed over.
fn members<'j>(fields: &[Field], content: &'j Json<'_>) -> Result<Vec<Given<'j>>, Problem> {
    let mut given = vec![Given::Absent; fields.len()];
    let members = content.root().as_object();
    for (name, value) in members.ok_or_else(|| Problem::of_answer(Rule::Object))? {
        let Some(at) = fields.iter().position(|field| *field.name == *name) else {
            continue;
        };
        given[at] = match given[at] {
            Given::Absent => Given::Once(value.raw()),
            _ => Given::Twice,
        };
    }
    Ok(given)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "read_laws.rs"]
mod laws;
