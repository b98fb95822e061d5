// A brace in a message needs its partner.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(message = "Greet {name?")]
    let ok: Confirm;
    ok.yes().to_string()
}

fn main() {
    let _ = greet();
}
