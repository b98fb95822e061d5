// Outside a handler nothing takes the ask away.

use mrtr::prelude::*;

async fn greet(#[ask(message = "Who?")] who: String) -> String {
    who
}

fn main() {}
