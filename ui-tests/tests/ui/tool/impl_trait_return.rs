// The output schema needs the type itself.

use mrtr::prelude::*;

#[tool]
async fn book() -> impl Into<String> {
    "booked"
}

fn main() {
    let _ = book();
}
