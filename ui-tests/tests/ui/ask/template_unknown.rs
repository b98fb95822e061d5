// A hole that names nothing is found by rustc, at the message.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(message = "Greet {nobody}?")]
    let ok: Confirm;
    ok.yes().to_string()
}

fn main() {
    let _ = greet();
}
