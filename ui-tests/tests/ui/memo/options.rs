// The only option says why a repetition is harmless.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    #[memo(key = "q")]
    let quote: u8 = 1;
    #[memo(repeatable = " ")]
    let draw: u8 = 2;
    format!("{quote}{draw}")
}

fn main() {}
