//! Checks that a field can be sent: clean texts, bounds that hold a value, a default that fits.

use crate::text;

use super::MAX_CHOICES;
use super::error::Misfit;
use super::field::{Field, Kind, Offered};
use super::read;

/// Cleans and checks one field.
pub(crate) fn field(mut field: Field) -> Result<Field, Misfit> {
    // A text without text is none: it would hide the field's name.
    field.title = shown(&field.title).map(label).transpose()?;
    field.description = shown(&field.description).map(help_text).transpose()?;
    check_kind(&mut field.kind)?;
    if let Some(default) = field.default.take() {
        field.default = Some(check_default(&field.kind, &default)?);
    }
    Ok(field)
}

fn check_kind(kind: &mut Kind) -> Result<(), Misfit> {
    let holds_a_value = match kind {
        Kind::Text { length, .. } => length.holds_a_value(),
        Kind::Integer(range) => range.holds_a_value(),
        Kind::Number { range, .. } => range.holds_a_value(),
        Kind::Boolean => true,
        Kind::One { choices, .. } => {
            check_choices(choices)?;
            true
        }
        Kind::Many { choices, count } => {
            check_choices(choices)?;
            let most = choices.len() as u64;
            count.holds_a_value() && count.min.is_none_or(|min| min <= most)
        }
    };
    if holds_a_value {
        Ok(())
    } else {
        Err(Misfit::new(
            "no value meets its bounds",
            "make the maximum at least the minimum",
        ))
    }
}

fn check_choices(choices: &mut [Offered]) -> Result<(), Misfit> {
    if choices.is_empty() {
        return Err(Misfit::new("it offers no choice", "offer at least one"));
    }
    if choices.len() > MAX_CHOICES {
        let fact = format!(
            "it offers {} choices, more than {MAX_CHOICES}",
            choices.len()
        );
        return Err(Misfit::new(fact, "offer fewer, or ask for a text"));
    }
    let mut values: Vec<&str> = choices.iter().map(|choice| &*choice.value).collect();
    values.sort_unstable();
    if values.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Misfit::new(
            "two of its choices have the same value",
            "rename one of them",
        ));
    }
    choices.iter_mut().try_for_each(clean_choice)
}

/// Cleans the text that is shown; a value that needs cleaning gets a title, because the value
/// itself has to come back as it is.
fn clean_choice(choice: &mut Offered) -> Result<(), Misfit> {
    if text::shows_nothing(choice.label()) {
        return Err(Misfit::new(
            "one of its choices has no text",
            "give it a title",
        ));
    }
    let shown = label(choice.label())?;
    if choice.title.is_some() || shown != choice.value {
        choice.title = Some(shown);
    }
    Ok(())
}

/// A default is normalised like an answer, and is one that the form itself accepts.
pub(crate) fn check_default(kind: &Kind, default: &str) -> Result<String, Misfit> {
    const REMEDY: &str = "change the default or the rule";
    let mut normal = String::new();
    read::value(kind, default, &mut normal)
        .map_err(|rule| Misfit::new(format!("its default {rule}"), REMEDY))?;
    let shows_itself = match kind {
        Kind::Text { .. } => shows_itself(&normal),
        _ => true,
    };
    if shows_itself {
        Ok(normal)
    } else {
        Err(Misfit::new(
            "its default holds invisible characters",
            "remove them",
        ))
    }
}

/// Whether cleaning leaves a JSON text as it is; line ends are fine in what a user edits.
fn shows_itself(json: &str) -> bool {
    let plain: String = serde_json::from_str(json).expect("invariant: a normalised text is JSON");
    plain
        .lines()
        .all(|line| text::message(line).is_ok_and(|clean| clean == line))
}

fn shown(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text::shows_nothing(text))
}

fn label(shown: &str) -> Result<String, Misfit> {
    text::label(shown).map_err(|error| too_long("a label", &error))
}

/// A help text may have several lines, unlike a label, and as many bytes as a message.
fn help_text(shown: &str) -> Result<String, Misfit> {
    text::message(shown).map_err(|error| too_long("its description", &error))
}

fn too_long(what: &str, error: &text::TextError) -> Misfit {
    Misfit::new(format!("{what} is too long: {error}"), "shorten it")
}
