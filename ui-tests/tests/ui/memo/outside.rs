// Outside a handler nothing takes the memo away.

use mrtr::prelude::*;

async fn book() -> u8 {
    #[memo]
    let quote: u8 = 1;
    quote
}

fn main() {}
