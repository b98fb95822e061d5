//! The tool `plan`: one question, and then its result.

use rmcp::model::{CallToolRequestParams, CallToolResponse, ElicitationSchema, ErrorData};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Bench, answer, arguments, context, done};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Where to
    city: String,
}

#[derive(Deserialize)]
struct Traveller {
    name: String,
    seat: Seat,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Seat {
    Window,
    Aisle,
}

pub(crate) fn form() -> ElicitationSchema {
    let form = serde_json::json!({"type":"object","properties":{"name":{"type":"string","title":"Name as in the passport","minLength":1,"maxLength":80},"seat":{"type":"string","oneOf":[{"const":"window","title":"By the window"},{"const":"aisle","title":"On the aisle"}]}},"required":["name","seat"]});
    serde_json::from_value(form).expect("the form is one")
}

pub(crate) fn call(
    bench: &Bench,
    request: &CallToolRequestParams,
) -> Result<CallToolResponse, ErrorData> {
    let Arguments { city } = arguments(request)?;
    let context = context(request);
    if bench.state::<u8>(request, &context)?.is_none() {
        let question = ("who", format!("Who is travelling to {city}?"), &*bench.plan);
        return bench.ask(question, &1, &context);
    }
    let who: Traveller = answer(request, "who")?;
    if !(1..=80).contains(&who.name.chars().count()) {
        return Err(ErrorData::invalid_params(
            "the name is too short or too long",
            None,
        ));
    }
    let seat = match who.seat {
        Seat::Window => "window",
        Seat::Aisle => "aisle",
    };
    Ok(done(format!("{} travels to {city}, {seat}", who.name)))
}
