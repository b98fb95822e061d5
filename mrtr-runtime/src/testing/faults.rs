//! The texts that fail a test, written for whoever has to mend it.

use serde_json::Value;

use crate::observe::Outcome;

#[cfg(feature = "legacy")]
use super::era::Era;
use super::question::Question;
use super::script::Step;
#[cfg(feature = "legacy")]
use super::stance::Change;
use super::transcript::Transcript;

/// A question that the script has no answer to.
pub(super) fn unscripted(tool: &str, question: &Question, outcome: Option<Outcome>) -> String {
    let key = question.key();
    let line = question.line();
    match outcome {
        Some(Outcome::Invalid) => format!(
            "the tool `{tool}` did not take the answer to `{key}`, and asks again\n{question}\
             help: correct the answer, such as `{line}`; if the test is about it, make it \
             `.invalid({key:?}, ..)` and let the right one follow"
        ),
        Some(Outcome::QuestionChanged) => format!(
            "the question `{key}` changed after it was answered, and `{tool}` asks again\n{question}\
             help: let questions depend on what stays the same along a call, and remember the rest \
             with `#[memo]`; if the test is about it, go on with `{line}`"
        ),
        Some(Outcome::Late) => format!(
            "the answer to `{key}` came too late, and `{tool}` asks again\n{question}\
             help: go on with `{line}`"
        ),
        _ => format!(
            "the tool `{tool}` asked `{key}`, and the script has no answer to it\n{question}\
             help: add `{line}`, or one of {}",
            other_lines(question)
        ),
    }
}

/// The other ways to answer. Only a confirmation can be answered with a plain no.
fn other_lines(question: &Question) -> String {
    let ways: &[_] = if question.confirms() {
        &["no", "decline", "cancel", "leave"]
    } else {
        &["decline", "cancel", "leave"]
    };
    let lines = ways
        .iter()
        .map(|way| format!("`.{way}({:?})`", question.key()));
    lines.collect::<Vec<_>>().join(", ")
}

/// A step of the script that never came to pass.
pub(super) fn never_asked(transcript: &Transcript, step: &Step) -> String {
    let tool = &transcript.tool;
    match step {
        Step::Says { key, .. } => format!(
            "the script answers `{key}`, and the tool `{tool}` never asked it\n  \
             asked: {}\n  end:   {}\n\
             help: remove `{step}`, or look for the path on which it is asked",
            transcript.asked(),
            transcript.end,
        ),
        Step::Changes { .. } => format!(
            "`{step}` stands after the last answer of the script, so no request follows it\n\
             help: for a whole call, make the change at the client: \
             `client{step}.call({tool:?}, ..)`"
        ),
    }
}

/// An effect in a round that ended in a question.
pub(super) fn effect_above_ask(
    tool: &str,
    round: usize,
    questions: &[Question],
    effects: &[String],
) -> String {
    let keys: Vec<_> = questions
        .iter()
        .map(|question| format!("`{}`", question.key()))
        .collect();
    let effects: String = effects
        .iter()
        .map(|effect| format!("  {effect}\n"))
        .collect();
    format!(
        "the tool `{tool}` had an effect in round {round}, which ended in the question {}\n{effects}\
         help: put it under `#[commit]`, after the last ask\n\
         note: a handler runs again from the top in every round, so this happens once per round, \
         and before the user has agreed",
        keys.join(", ")
    )
}

/// A change of the world in the middle of a call that stays on its connection.
#[cfg(feature = "legacy")]
pub(super) fn moved_in_session(era: Era, change: &Change) -> String {
    format!(
        "`{change}` stands between the answers of a call on revision {era}, where a call stays on \
         its connection\nhelp: make the change at the client, before the call; or play this script on \
         2026-07-28 only"
    )
}

/// A question that is never answered, where the handler would wait for it.
#[cfg(feature = "legacy")]
pub(super) fn silent_in_session(era: Era, key: &str) -> String {
    format!(
        "`.silent({key:?})` on revision {era}: there a question without an answer waits until \
         `ask_timeout`\nhelp: `.leave({key:?})` walks away from it; or play this script on 2026-07-28 only"
    )
}

/// An answer that should have been refused.
pub(super) fn invalid_was_taken(tool: &str, key: &str, content: &Value) -> String {
    format!(
        "the tool `{tool}` took an answer to `{key}` that the script calls invalid\n  {content}\n\
         help: the type of the ask says what is valid: `#[schemars(..)]` on its fields, or \
         `validate = ..` on the ask"
    )
}

/// An effect in a call that should have had none.
pub(super) fn effect(transcript: &Transcript, effects: &[String]) -> String {
    let effects: String = effects
        .iter()
        .map(|effect| format!("  {effect}\n"))
        .collect();
    let refused = transcript.refused();
    let although = if refused.is_empty() {
        String::new()
    } else {
        format!(" although the user said no: {}", refused.join(", "))
    };
    format!(
        "the tool `{}` had an effect{although}\n{effects}\
         help: look at the answer before the effect, such as `if !ok.yes() {{ return .. }}`",
        transcript.tool
    )
}

/// Effects that nobody counts.
pub(super) fn nobody_counts() -> &'static str {
    "no effects are counted: give the server a `Recorder` with `.state(recorder)`, or the client \
     `.recording(&recorder)` or `.counting(move || desk.count())`"
}
