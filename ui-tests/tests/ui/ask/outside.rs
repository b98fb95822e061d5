// Outside a handler nothing takes the ask away.

use mrtr::prelude::*;

async fn greet() -> String {
    #[ask(message = "Who?")]
    let who: String;
    who
}

fn main() {}
