//! The tool `quiz`: one question a round, each after the answer to the one before.

use rmcp::model::{CallToolRequestParams, CallToolResponse, ElicitationSchema, ErrorData};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Bench, answer, arguments, context, done};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// How many questions
    rounds: u8,
}

#[derive(Deserialize)]
struct Number {
    value: u32,
}

pub(crate) fn form() -> ElicitationSchema {
    let form = serde_json::json!({"type":"object","properties":{"value":{"type":"integer"}},"required":["value"]});
    serde_json::from_value(form).expect("the form is one")
}

pub(crate) fn call(
    bench: &Bench,
    request: &CallToolRequestParams,
) -> Result<CallToolResponse, ErrorData> {
    let Arguments { rounds } = arguments(request)?;
    let context = context(request);
    let mut answers: Vec<u32> = match bench.state(request, &context)? {
        None => Vec::new(),
        Some(mut answers) => {
            let answers: &mut Vec<u32> = &mut answers;
            let key = format!("q{}", answers.len());
            answers.push(answer::<Number>(request, &key)?.value);
            std::mem::take(answers)
        }
    };
    let number = answers.len();
    if number == usize::from(rounds) {
        let right = (0..)
            .zip(answers.drain(..))
            .filter(|(number, answer)| *answer == 2 * number);
        return Ok(done(format!("{} of {rounds}", right.count())));
    }
    let message = format!("What is {number} and {number}?");
    bench.ask(
        (&format!("q{number}"), message, &bench.quiz),
        &answers,
        &context,
    )
}
