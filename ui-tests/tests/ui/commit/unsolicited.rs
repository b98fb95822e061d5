// An effect needs an answer somebody was asked for.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    #[ask(message = "Which seat?", accept_unsolicited)]
    let seat: String;
    #[commit]
    drop(seat.clone());
    seat
}

fn main() {
    let _ = book();
}
