// A yes nobody was asked for is no consent.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(message = "Sure?", accept_unsolicited)]
    let sure: Confirm;
    sure.yes().to_string()
}

fn main() {
    let _ = greet();
}
