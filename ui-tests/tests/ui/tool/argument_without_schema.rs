// An argument type needs both derives; the errors are at the type and the tool.

use mrtr::prelude::*;

struct Seat;

#[tool]
async fn book(seat: Seat) -> String {
    let Seat = seat;
    String::new()
}

fn main() {}
