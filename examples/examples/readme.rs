//! The tool that the README shows, word for word, with the little that it leaves out at the end.

use mrtr::prelude::*;

/// Who is travelling.
#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    /// Name as in the passport
    #[schemars(length(min = 1, max = 80))]
    name: String,
    #[schemars(email)]
    email: String,
    seat: Seat,
}

#[derive(Deserialize, JsonSchema, Form)]
enum Seat {
    /// By the window
    Window,
    /// On the aisle
    Aisle,
}

/// Books a seat on a flight.
#[tool(title = "Book a flight")]
async fn book(
    /// Flight number, such as LH123
    flight: String,
    State(desk): State<Desk>,
) -> Result<Json<Booking>, ToolError> {
    let price = desk.quote(&flight).await?; // read-only: may run again

    #[ask(message = "Who is travelling?")]
    let who: Traveller;

    #[ask(message = "Book {flight} for {who.name} at {price}?", pin = &price)]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not booked"));
    }

    #[commit(c)] // effects live here, after the last ask
    let booking = desk.book(&flight, &who, price, c.key("book")).await?;
    Ok(Json(booking))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Server::new("travel-desk", "1.0.0")
        .state(Desk::open()?)
        .tool(book)
        .run()
        .await?;
    Ok(())
}

// ---- what the README leaves out

#[derive(Clone)]
struct Desk;

#[derive(Serialize, JsonSchema)]
struct Booking {
    ticket: String,
}

impl Desk {
    fn open() -> Result<Self, std::io::Error> {
        Ok(Self)
    }

    async fn quote(&self, _flight: &str) -> Result<f64, std::io::Error> {
        Ok(99.0)
    }

    async fn book(
        &self,
        flight: &str,
        who: &Traveller,
        price: f64,
        key: String,
    ) -> Result<Booking, std::io::Error> {
        let seat = match who.seat {
            Seat::Window => "window",
            Seat::Aisle => "aisle",
        };
        let ticket = format!(
            "{flight} {seat} for {} at {price}, to {}: {key}",
            who.name, who.email
        );
        Ok(Booking { ticket })
    }
}
