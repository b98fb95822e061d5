//! The tool `plan`: one question, and then its result.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::request::{Answer, Params};
use crate::state::{Sealer, State};
use crate::{asks, done};

/// The form as mrtr publishes it.
const FORM: &str = r#"{"type":"object","properties":{"name":{"type":"string","title":"Name as in the passport","minLength":1,"maxLength":80},"seat":{"type":"string","oneOf":[{"const":"window","title":"By the window"},{"const":"aisle","title":"On the aisle"}]}},"required":["name","seat"]}"#;

/// How many bytes a state of mrtr has beyond ours.
const PAD: usize = 29;

#[derive(Deserialize)]
struct Arguments<'a> {
    #[serde(borrow)]
    city: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Answers<'a> {
    #[serde(borrow)]
    who: Answer<Traveller<'a>>,
}

#[derive(Deserialize)]
struct Traveller<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    seat: Seat,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Seat {
    Window,
    Aisle,
}

pub(crate) fn call(sealer: &Sealer, params: &Params<'_>, out: &mut Vec<u8>) -> Option<()> {
    let raw = params.arguments.map(RawValue::get)?;
    let arguments: Arguments<'_> = serde_json::from_str(raw).ok()?;
    let Some(state) = &params.request_state else {
        let mut state = State::first()?;
        state.round = 1;
        let state = sealer.seal(&state, raw, PAD)?;
        let message = format!("Who is travelling to {}?", arguments.city);
        return asks(out, "who", &message, FORM, &state);
    };
    sealer.open(state, raw, PAD)?;
    let answers: Answers<'_> = serde_json::from_str(params.input_responses?.get()).ok()?;
    let who = answers.who.accepted()?;
    if !(1..=80).contains(&who.name.chars().count()) {
        return None;
    }
    let seat = match who.seat {
        Seat::Window => "window",
        Seat::Aisle => "aisle",
    };
    let text = format!("{} travels to {}, {seat}", who.name, arguments.city);
    done(out, &text)
}
