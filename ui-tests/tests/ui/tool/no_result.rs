// What a tool returns must be something a client can be sent.

use mrtr::prelude::*;

struct Seat;

#[tool]
async fn book() -> Seat {
    Seat
}

fn main() {}
