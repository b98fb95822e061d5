// A commit is a whole statement, so that its end can be seen.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    let seat = String::from(#[commit] "12A");
    seat
}

fn main() {}
