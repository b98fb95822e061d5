//! A server of rmcp with tools of its own, two mounted tools of mrtr that ask, and one tool of its
//! own that asks.
//!
//! `cargo run -p mrtr-rmcp --example travel_desk` serves stdio.

use std::sync::{Arc, Mutex, PoisonError};

use mrtr::prelude::{
    Commit, Confirm, Ctx, Deserialize, Form, JsonSchema, State, ToolError, asking,
};
use mrtr_rmcp::{Asks, Mount, Mounted};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::CallToolResponse;
use rmcp::{ErrorData, ServerHandler, ServiceExt, tool, tool_handler, tool_router};

/// The bookings, which both kinds of tools work on.
#[derive(Clone, Default)]
pub struct Bookings(Arc<Mutex<Vec<String>>>);

impl Bookings {
    /// What is booked.
    pub fn all(&self) -> Vec<String> {
        self.list().clone()
    }

    /// Books, and says how many bookings there are.
    pub fn book(&self, booking: &str) -> usize {
        let mut list = self.list();
        list.push(booking.to_owned());
        list.len()
    }

    fn clear(&self) -> usize {
        std::mem::take(&mut *self.list()).len()
    }

    fn list(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where to sit.
#[derive(Deserialize, JsonSchema, Form)]
struct Seat {
    /// Row
    #[schemars(range(min = 1, max = 40))]
    row: u8,
    /// At the window
    window: bool,
}

/// Books a seat on a flight.
#[mrtr::tool]
async fn book(
    /// Flight number, such as LH123
    flight: String,
    State(bookings): State<Bookings>,
) -> Result<String, ToolError> {
    #[ask(message = "Where do you want to sit on {flight}?")]
    let seat: Seat;

    let place = if seat.window { "window" } else { "aisle" };
    #[ask(message = "Book {flight}, row {seat.row}, {place}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not booked"));
    }

    #[commit]
    let count = bookings.book(&format!("{flight} row {} {place}", seat.row));
    Ok(format!("booked; {count} in all"))
}

/// Asks how the journey was.
#[mrtr::tool(read_only)]
async fn feedback() -> String {
    #[ask(message = "How was your journey, in one word?")]
    let word: Option<String>;
    match word {
        Some(word) => format!("the journey was {word}"),
        None => "no answer".to_owned(),
    }
}

/// The question of `cancel_all`, where the lint sees it.
#[asking]
async fn really_cancel(ctx: &Ctx, count: usize) -> Confirm {
    #[ask(message = "Cancel all {count} bookings?")]
    let cancel: Confirm;
    cancel
}

/// The server of rmcp.
#[derive(Clone)]
pub struct Desk {
    bookings: Bookings,
    tool_router: ToolRouter<Self>,
}

#[derive(Deserialize, JsonSchema)]
struct Flight {
    /// Flight number, such as LH123
    flight: String,
}

#[tool_router]
impl Desk {
    #[tool(description = "The flights of today")]
    async fn list_flights(&self) -> String {
        "LH123, LH456".to_owned()
    }

    #[tool(description = "Whether a flight is on time")]
    async fn flight_status(&self, Parameters(Flight { flight }): Parameters<Flight>) -> String {
        format!("{flight} is on time")
    }

    #[tool(description = "What is booked")]
    async fn list_bookings(&self) -> String {
        self.bookings.all().join("\n")
    }

    #[tool(description = "Cancels all bookings, after asking")]
    async fn cancel_all(&self, asks: Asks) -> Result<CallToolResponse, ErrorData> {
        let bookings = self.bookings.clone();
        asks.commit(
            {
                let count = bookings.all().len();
                async move |ctx: &Ctx| match really_cancel(ctx, count).await.yes() {
                    true => Ok(()),
                    false => Err(ToolError::user("nothing was cancelled")),
                }
            },
            async move |_: Commit, ()| format!("cancelled {}", bookings.clear()),
        )
        .await
    }

    /// A server of this mount.
    pub fn new(mounted: &Mounted, bookings: Bookings) -> Self {
        Self {
            bookings,
            tool_router: mounted.asking(Self::tool_router()) + mounted.routes(),
        }
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Desk {}

/// What both servers of this example mount: with a transport of their own they add keys and
/// callers.
pub fn mount(bookings: &Bookings) -> Mount {
    Mount::new("travel-desk")
        .state(bookings.clone())
        .tool(book)
        .tool(feedback)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bookings = Bookings::default();
    let mounted = mount(&bookings).local().build()?;
    let desk = Desk::new(&mounted, bookings);
    desk.serve(rmcp::transport::stdio())
        .await?
        .waiting()
        .await?;
    Ok(())
}
