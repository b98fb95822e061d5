//! The tools of the benchmark, written with mrtr.

use bench_setup::{KEY, MOST_ROUNDS, Setup};
use mrtr::prelude::*;
use mrtr::{Key, KeyRing, Server, Tool};

/// Who is travelling.
#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    /// Name as in the passport
    #[schemars(length(min = 1, max = 80))]
    name: String,
    seat: Seat,
}

#[derive(Deserialize, JsonSchema, Form)]
#[serde(rename_all = "lowercase")]
enum Seat {
    /// By the window
    Window,
    /// On the aisle
    Aisle,
}

/// Plans a trip.
#[tool]
async fn plan(
    /// Where to
    city: String,
) -> String {
    #[ask(message = "Who is travelling to {city}?")]
    let who: Traveller;
    let seat = match who.seat {
        Seat::Window => "window",
        Seat::Aisle => "aisle",
    };
    format!("{} travels to {city}, {seat}", who.name)
}

/// Asks one question a round.
#[tool]
#[mrtr::allow(ask_per_iteration, reason = "many rounds are what is measured")]
async fn quiz(
    /// How many questions
    rounds: u8,
    ctx: &Ctx,
) -> String {
    let mut right = 0;
    for number in 0..rounds {
        let key = format!("q{number}");
        let message = format!("What is {number} and {number}?");
        // Each question depends on the answer before it.
        let answer: u32 = ctx.ask(key, message).await;
        right += u32::from(answer == 2 * u32::from(number));
    }
    format!("{right} of {rounds}")
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

/// What the macro makes, for names that are known at run time only.
fn other((name, description): (String, String)) -> Tool {
    mrtr::__private::ToolDef::new(name.leak())
        .description(description.leak())
        .args::<Departures>()
        .handler(|_ctx, _call| async { Ok(mrtr::ToolResult::new()) })
}

fn server(setup: &Setup) -> Result<Server, Box<dyn std::error::Error>> {
    let server = Server::new("bench", "1.0.0")
        .keys(KeyRing::new([Key::from_bytes(&KEY)?])?)
        .max_rounds(MOST_ROUNDS)
        .tool(plan);
    let server = if setup.tools > 1 {
        server.tool(quiz)
    } else {
        server
    };
    Ok(server.tools(setup.others().map(other)))
}

fn main() {
    Setup::from_args().run(async |setup| {
        let server = server(&setup)?;
        match setup.port {
            Some(port) => server.serve_http(("127.0.0.1", port)).await?,
            None => server.serve_stdio().await?,
        }
        Ok(())
    });
}
