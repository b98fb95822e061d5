//! The tool `quiz`: one question a round, each after the answer to the one before.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::request::{Answer, Params};
use crate::state::{Sealer, State};
use crate::{asks, done};

/// How many bytes a state of mrtr has beyond ours: what it remembers of its question.
const PAD: usize = 28;

#[derive(Deserialize)]
struct Arguments {
    rounds: u8,
}

#[derive(Deserialize)]
struct Number {
    value: u32,
}

pub(crate) fn call(sealer: &Sealer, params: &Params<'_>, out: &mut Vec<u8>) -> Option<()> {
    let raw = params.arguments.map(RawValue::get)?;
    let Arguments { rounds } = serde_json::from_str(raw).ok()?;
    let mut state = match &params.request_state {
        None => State::first()?,
        Some(state) => {
            let mut state = sealer.open(state, raw, PAD)?;
            let answer = answer(params, state.round.checked_sub(1)?)?;
            state.answers.extend_from_slice(&answer.to_be_bytes());
            state
        }
    };
    if state.round == rounds {
        return done(out, &format!("{} of {rounds}", right(&state.answers)));
    }
    let number = state.round;
    state.round += 1;
    let state = sealer.seal(&state, raw, PAD)?;
    let message = format!("What is {number} and {number}?");
    let key = format!("q{number}");
    asks(out, &key, &message, &form(&key), &state)
}

/// The form as mrtr publishes it.
fn form(key: &str) -> String {
    format!(
        r#"{{"type":"object","properties":{{"value":{{"type":"integer","title":"{key}","minimum":0,"maximum":4294967295}}}},"required":["value"]}}"#
    )
}

fn answer(params: &Params<'_>, number: u8) -> Option<u32> {
    let mut answers: HashMap<&str, Answer<Number>> =
        serde_json::from_str(params.input_responses?.get()).ok()?;
    let answer = answers.remove(&*format!("q{number}"))?.accepted()?;
    Some(answer.value)
}

/// How many of the answers are right.
fn right(answers: &[u8]) -> usize {
    let (answers, _) = answers.as_chunks::<4>();
    let numbers = answers.iter().map(|bytes| u32::from_be_bytes(*bytes));
    (0..)
        .zip(numbers)
        .filter(|(number, answer)| *answer == 2 * number)
        .count()
}
