//! The tools of the benchmark, written with flymcprust.

use bench_setup::{KEY, Setup};
use flymcprust::prelude::*;
use flymcprust::{ServerBuilder, ToolDef, spec};
use schemars::JsonSchema;
use serde::Deserialize;

/// Who is travelling.
#[derive(Deserialize, JsonSchema)]
struct Traveller {
    /// Name as in the passport
    #[schemars(length(min = 1, max = 80))]
    name: String,
    seat: Seat,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Seat {
    Window,
    Aisle,
}

#[derive(Deserialize, JsonSchema)]
struct Number {
    value: u32,
}

/// The argument of the tools that are never called.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "these tools are only listed")]
struct Departures {
    /// How many departures
    most: u32,
    /// Only by this line
    line: Option<String>,
}

/// Plans a trip.
///
/// # Arguments
/// * `city` - Where to
#[tool]
async fn plan(ctx: Ctx, city: String) -> Result<String, ToolError> {
    let message = format!("Who is travelling to {city}?");
    let who: Traveller = ctx.elicit("who", message).await?;
    // Answers are not checked against the form that was sent.
    if !(1..=80).contains(&who.name.chars().count()) {
        return Err(ToolError::user("the name is too short or too long"));
    }
    let seat = match who.seat {
        Seat::Window => "window",
        Seat::Aisle => "aisle",
    };
    Ok(format!("{} travels to {city}, {seat}", who.name))
}

/// Asks one question a round.
///
/// # Arguments
/// * `rounds` - How many questions
#[tool]
async fn quiz(ctx: Ctx, rounds: u8) -> Result<String, ToolError> {
    let mut right = 0;
    for number in 0..rounds {
        let message = format!("What is {number} and {number}?");
        let answer: Number = ctx.elicit(&format!("q{number}"), message).await?;
        right += u32::from(answer.value == 2 * u32::from(number));
    }
    Ok(format!("{right} of {rounds}"))
}

fn with_others(server: ServerBuilder, setup: &Setup) -> ServerBuilder {
    setup.others().fold(server, |server, (name, text)| {
        let mut tool = spec::Tool::new(
            flymcprust::__private::input_schema_for::<Departures>(),
            name,
        );
        tool.description = Some(text);
        server.tool_def(ToolDef::new(tool, |_, _| {
            Ok(Box::pin(async { Err(ToolError::user("only listed")) }))
        }))
    })
}

fn main() {
    Setup::from_args().run(async |setup| {
        let server = Server::builder("bench", "1.0.0")
            .request_state_key(KEY)
            .tool::<plan>();
        let server = if setup.tools > 1 {
            server.tool::<quiz>()
        } else {
            server
        };
        let server = with_others(server, &setup).build()?;
        match setup.port {
            Some(port) => server.serve_http(("127.0.0.1", port)).await?,
            None => server.serve_stdio().await?,
        }
        Ok(())
    });
}
