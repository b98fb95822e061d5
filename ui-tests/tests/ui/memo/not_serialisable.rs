// A memo travels in the state of the call.

use mrtr::prelude::*;

struct Quote;

#[tool]
async fn book() -> String {
    #[memo]
    let quote: Quote = Quote;
    let Quote = quote;
    String::new()
}

fn main() {}
