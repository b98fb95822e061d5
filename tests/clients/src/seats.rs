//! Choices known at run time, a draft for the user to correct, and a way back to an earlier question.

use mrtr::prelude::*;

/// The flights of today, and how many seats are left on each.
const FLIGHTS: [(&str, u8); 2] = [("LH1", 2), ("LH2", 1)];

/// Finds seats on a flight of today.
#[tool(read_only)]
pub(crate) async fn seats(ctx: &Ctx) -> Result<String, ToolError> {
    #[ask(
        message = "Which flight?",
        options = FLIGHTS.iter().map(|(number, left)| (*number, format!("{number}, {left} left")))
    )]
    let number: Select;
    #[ask(message = "How many seats?", default = 1)]
    let wanted: u8;

    let flight = FLIGHTS.iter().find(|(name, _)| *name == number.value());
    let (name, left) = flight.ok_or_else(|| ToolError::user("no such flight"))?;
    if wanted > *left {
        ctx.back_to("number", format!("{name} has only {left} left."))
            .await
    }
    Ok(format!("{wanted} on {name}"))
}
