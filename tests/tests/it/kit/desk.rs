//! A desk whose bookings are written down, and the tools of the kit's own tests.

use mrtr::Server;
use mrtr::prelude::*;
use mrtr::testing::Recorder;

/// Who is travelling.
#[derive(Deserialize, JsonSchema, Form)]
pub(super) struct Traveller {
    /// Name
    #[schemars(length(min = 1))]
    name: String,
    #[schemars(email)]
    email: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Booking {
    pub(super) number: String,
}

/// Books a seat.
#[tool(title = "Book a flight")]
async fn book(
    /// Such as LH1
    flight: String,
    State(desk): State<Recorder>,
    call: Call,
) -> Result<Json<Booking>, ToolError> {
    #[ask(message = "Who is travelling?")]
    let who: Traveller;
    call.progress(1.0, 2.0).await;
    #[ask(message = "Book {flight} for {who.name}, ticket to {who.email}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not booked"));
    }
    #[commit]
    desk.perform(format!("{flight} for {}", who.name)).await;
    Ok(Json(Booking {
        number: format!("{flight}-1"),
    }))
}

/// Books a room.
#[tool]
async fn room(State(desk): State<Recorder>) -> Result<String, ToolError> {
    #[ask(message = "How many nights?")]
    let nights: u8;
    #[ask(message = "With breakfast?")]
    let breakfast: Option<bool>;
    #[ask(message = "Book {nights} nights?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not booked"));
    }
    #[commit]
    desk.record(format!("{nights} nights, {breakfast:?}"));
    Ok(format!("{nights} nights"))
}

/// Says who asks.
#[tool]
async fn whoami(caller: Option<Principal>) -> String {
    caller.map_or("nobody".to_owned(), |caller| caller.subject().to_owned())
}

pub(super) fn server(desk: &Recorder) -> Server {
    Server::new("desk", "1")
        .state(desk.clone())
        .tools([book(), room(), whoami()])
}
