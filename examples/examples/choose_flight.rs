//! `options`, `default` and `back_to`: questions made of data, filled in for the user, and asked
//! again when a later step shows that an answer will not do.

use mrtr::prelude::*;
use mrtr::{ServeError, Server};

/// A flight of today.
struct Flight {
    number: &'static str,
    price: u32,
    seats: u8,
}

const FLIGHTS: [Flight; 3] = [
    Flight {
        number: "LH1",
        price: 90,
        seats: 2,
    },
    Flight {
        number: "LH2",
        price: 70,
        seats: 1,
    },
    Flight {
        number: "LH3",
        price: 120,
        seats: 9,
    },
];

/// Finds seats on a flight of today.
#[tool(read_only)]
async fn find_seats(ctx: &Ctx) -> Result<String, ToolError> {
    // The answer stands while its flight is offered at its price, whatever else comes and goes.
    #[ask(
        message = "Which flight?",
        options = FLIGHTS.iter().map(|flight| {
            (flight.number, format!("{} for {} EUR", flight.number, flight.price))
        })
    )]
    let number: Select;

    // A draft: what the user leaves out is not taken from it.
    #[ask(message = "How many seats?", default = 1)]
    let seats: u8;

    let chosen = FLIGHTS
        .iter()
        .find(|flight| flight.number == number.value());
    let flight = chosen.ok_or_else(|| ToolError::user("no such flight"))?;
    if seats > flight.seats {
        ctx.back_to(
            "number",
            format!("{} has only {} seats left.", flight.number, flight.seats),
        )
        .await
    }
    Ok(format!(
        "{seats} on {} for {} EUR",
        flight.number,
        u32::from(seats) * flight.price
    ))
}

/// The server.
pub fn server() -> Server {
    Server::new("choose-flight", "1.0.0").tool(find_seats)
}

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    server().run().await
}
