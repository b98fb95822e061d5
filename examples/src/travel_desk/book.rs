//! Two questions, of which the second shows what the first brought, and one effect after both.

use std::fmt;

use mrtr::prelude::*;

use super::desk::Desk;

/// Who is travelling.
#[derive(Debug, Deserialize, JsonSchema, Form)]
pub struct Traveller {
    /// Name as in the passport
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// Where the ticket goes
    #[schemars(email)]
    pub email: String,
    /// Where to sit
    pub seat: Seat,
}

/// A seat.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema, Form)]
pub enum Seat {
    /// By the window
    Window,
    /// On the aisle
    Aisle,
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Window => "by the window",
            Self::Aisle => "on the aisle",
        })
    }
}

/// A booked seat.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Booking {
    /// What was booked for whom.
    confirmation: String,
}

/// Books a seat on a flight.
#[tool(title = "Book a flight")]
pub async fn book(
    /// Flight number, such as LH123
    flight: String,
    State(desk): State<Desk>,
) -> Result<Json<Booking>, ToolError> {
    let price = desk.quote(&flight).await.map_err(ToolError::user)?;

    #[ask(message = "Who is travelling?")]
    let who: Traveller;

    #[ask(message = "Book {flight} for {who.name} at {price}?", pin = &price)]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not booked"));
    }

    let seat = format!("Booked {flight} for {}, {}, at {price}", who.name, who.seat);
    #[commit(c)]
    let confirmation = desk.book(seat, c.key("book")).await;
    Ok(Json(Booking { confirmation }))
}
