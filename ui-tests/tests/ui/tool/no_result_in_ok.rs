// The value inside a `Result` must be sendable as well.

use mrtr::prelude::*;

struct Seat;

#[tool]
async fn book() -> Result<Seat, ToolError> {
    Ok(Seat)
}

fn main() {}
