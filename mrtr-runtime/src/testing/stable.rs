//! Whether a round asks the same when it runs again.

use serde_json::Value;

use super::question::Question;
use super::wire::Came;

const NOTE: &str = "note: a round runs again whenever its answers come, or a reply was lost; `.once()` \
    turns this check off for a call";
const HELP: &str = "help: let questions depend on arguments, answers and what does not move; remember \
    what does with `#[memo]`";

/// Compares the questions of a round with those of its second run.
///
/// # Errors
/// The text that fails the test.
pub(super) fn compare(first: &[Question], again: &Came) -> Result<(), String> {
    let Came::Asked { questions, .. } = again else {
        return Err(ended(first, again));
    };
    for question in first {
        let Some(other) = questions.iter().find(|other| other.key() == question.key()) else {
            return Err(only("first", "second", question));
        };
        if !same(question, other) {
            return Err(differs(question, other));
        }
    }
    let more = questions
        .iter()
        .find(|other| first.iter().all(|one| one.key() != other.key()));
    more.map_or(Ok(()), |question| Err(only("second", "first", question)))
}

/// Whether it is the same question. The reason that stands before the message of one that is asked
/// again belongs to the answer, which the second run does not have; so does a draft beside it.
fn same(first: &Question, again: &Question) -> bool {
    match first.message().strip_suffix(again.message()) {
        Some("") => first.schema() == again.schema(),
        Some(reason) if reason.ends_with('\n') => undrafted(first) == undrafted(again),
        _ => false,
    }
}

/// The schema of a form without what its fields are filled in with.
fn undrafted(question: &Question) -> Option<Value> {
    let mut schema: Value = serde_json::from_str(&question.schema()).ok()?;
    if let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for field in fields.values_mut().filter_map(Value::as_object_mut) {
            field.remove("default");
        }
    }
    Some(schema)
}

fn differs(first: &Question, again: &Question) -> String {
    let key = first.key();
    let (one, two) = if first.message() == again.message() {
        (first.schema(), again.schema())
    } else {
        (first.message().to_owned(), again.message().to_owned())
    };
    format!(
        "the question `{key}` is another one when its round runs again\n  first: {one}\n  again: {two}\n{HELP}\n{NOTE}"
    )
}

fn only(run: &str, other: &str, question: &Question) -> String {
    format!(
        "the question `{}` is asked in the {run} run of its round only, and not in the {other}\n{question}{HELP}\n{NOTE}",
        question.key()
    )
}

fn ended(first: &[Question], again: &Came) -> String {
    let keys: Vec<_> = first
        .iter()
        .map(|question| format!("`{}`", question.key()))
        .collect();
    let keys = keys.join(", ");
    let end = again.clone().into_end();
    format!(
        "a round asked {keys}, and did not ask when it ran again\n  again: {end}\n{HELP}\n{NOTE}"
    )
}
