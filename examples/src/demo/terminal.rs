//! A person at the terminal: each field a prompt, checked while it is filled in.

use std::error::Error;

use inquire::list_option::ListOption;
use inquire::validator::Validation;
use inquire::{Confirm, InquireError, MultiSelect, Select, Text};
use serde_json::{Map, Value};

use super::field::{Choice, Field, Kind};
use super::person::{Person, Reply};
use super::question::Question;

/// Whoever sits there.
pub(crate) struct Terminal;

const SKIP: &str = "(leave it empty)";

impl Person for Terminal {
    fn answer(&mut self, server: &str, question: &Question) -> Result<Reply, Box<dyn Error>> {
        question.print(server);
        println!();
        let mut begin = "Fill in the form";
        loop {
            match Select::new("What now?", vec![begin, DECLINE, CANCEL]).prompt() {
                Ok(choice) if choice == begin => {}
                Ok(DECLINE) => return Ok(Reply::Decline),
                Ok(_) | Err(InquireError::OperationCanceled) => return Ok(Reply::Cancel),
                Err(error) => return Err(error.into()),
            }
            begin = "Begin again";
            let Some(content) = fill_in(question)? else {
                continue;
            };
            if reviewed(&content)? {
                return Ok(Reply::Accept(content));
            }
        }
    }
}

const DECLINE: &str = "Say no to it (decline)";
const CANCEL: &str = "Close it without an answer (cancel)";

/// Asks for each field; `None` when the person stepped back with Esc.
fn fill_in(question: &Question) -> Result<Option<Value>, InquireError> {
    let mut content = Map::new();
    for field in &question.fields {
        match fill_in_field(field) {
            Ok(Some(value)) => {
                content.insert(field.name.clone(), value);
            }
            Ok(None) => {}
            Err(InquireError::OperationCanceled) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(Some(Value::Object(content)))
}

/// Shows what is about to be sent; only then it is.
fn reviewed(content: &Value) -> Result<bool, InquireError> {
    println!("  about to send {content}");
    match Confirm::new("Send it?").with_help_message(Y_OR_N).prompt() {
        Err(InquireError::OperationCanceled) => Ok(false),
        answered => answered,
    }
}

/// No prompt of this kind has a default: Enter alone is no consent.
const Y_OR_N: &str = "type y or n";

fn fill_in_field(field: &Field) -> Result<Option<Value>, InquireError> {
    match field.kind() {
        Kind::Typed => typed(field),
        Kind::Boolean => yes_or_no(field),
        Kind::One => one(field),
        Kind::Many => many(field),
    }
}

fn help(field: &Field) -> String {
    match field.description() {
        Some(description) => format!("{description} ({})", field.bounds()),
        None => field.bounds(),
    }
}

fn typed(field: &Field) -> Result<Option<Value>, InquireError> {
    let (title, help) = (format!("{}:", field.title()), help(field));
    let draft = match field.default() {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let checked = field.clone();
    let typed = Text::new(&title)
        .with_help_message(&help)
        .with_initial_value(&draft)
        .with_validator(move |typed: &str| Ok(check(&checked, typed)))
        .prompt()?;
    let empty = typed.is_empty() && !field.required;
    Ok((!empty).then(|| field.parse(&typed)))
}

fn check(field: &Field, typed: &str) -> Validation {
    if typed.is_empty() && !field.required {
        return Validation::Valid;
    }
    match field.complaint(&field.parse(typed)) {
        None => Validation::Valid,
        Some(why) => Validation::Invalid(why.into()),
    }
}

fn yes_or_no(field: &Field) -> Result<Option<Value>, InquireError> {
    if field.required && field.default().is_none() {
        let title = format!("{}:", field.title());
        let help = match field.description() {
            Some(description) => format!("{description} ({Y_OR_N})"),
            None => Y_OR_N.to_owned(),
        };
        let yes = Confirm::new(&title).with_help_message(&help).prompt()?;
        return Ok(Some(Value::Bool(yes)));
    }
    drafted_yes_or_no(field)
}

/// A list, because the draft is marked in it and it can hold "leave it empty".
fn drafted_yes_or_no(field: &Field) -> Result<Option<Value>, InquireError> {
    let mut choices = vec!["yes", "no"];
    if !field.required {
        choices.push(SKIP);
    }
    let cursor = match field.default() {
        Some(Value::Bool(false)) => 1,
        Some(_) => 0,
        None => choices.len() - 1,
    };
    let (title, help) = (format!("{}:", field.title()), help(field));
    let chosen = Select::new(&title, choices)
        .with_help_message(&help)
        .with_starting_cursor(cursor)
        .prompt()?;
    Ok((chosen != SKIP).then_some(Value::Bool(chosen == "yes")))
}

fn one(field: &Field) -> Result<Option<Value>, InquireError> {
    let mut choices = field.choices();
    let draft = choices
        .iter()
        .position(|choice| field.default() == Some(&Value::from(&*choice.value)));
    if !field.required {
        choices.push(Choice {
            value: String::new(),
            title: SKIP.to_owned(),
        });
    }
    let (title, help) = (format!("{}:", field.title()), help(field));
    let chosen = Select::new(&title, choices)
        .with_help_message(&help)
        .with_starting_cursor(draft.unwrap_or_default())
        .prompt()?;
    Ok((chosen.title != SKIP).then(|| Value::from(chosen.value)))
}

fn many(field: &Field) -> Result<Option<Value>, InquireError> {
    let choices = field.choices();
    let drafted = |choice: &Choice| {
        let draft = field.default().and_then(Value::as_array);
        draft.is_some_and(|draft| draft.contains(&Value::from(&*choice.value)))
    };
    let draft: Vec<usize> = (0..choices.len())
        .filter(|&i| drafted(&choices[i]))
        .collect();
    let (title, help) = (format!("{}:", field.title()), help(field));
    let checked = field.clone();
    let chosen = MultiSelect::new(&title, choices)
        .with_help_message(&help)
        .with_default(&draft)
        .with_validator(move |chosen: &[ListOption<&Choice>]| {
            let values = chosen
                .iter()
                .map(|option| Value::from(&*option.value.value))
                .collect();
            Ok(match checked.complaint(&Value::Array(values)) {
                None => Validation::Valid,
                Some(why) => Validation::Invalid(why.into()),
            })
        })
        .prompt()?;
    let values: Vec<Value> = chosen
        .into_iter()
        .map(|choice| Value::from(choice.value))
        .collect();
    let given = field.required || !values.is_empty();
    Ok(given.then_some(Value::Array(values)))
}
