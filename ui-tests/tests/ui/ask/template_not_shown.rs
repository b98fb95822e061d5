// A hole holds a value that can be shown.

use mrtr::prelude::*;

struct Person;

#[tool]
async fn greet() -> String {
    let person = Person;
    #[ask(message = "Greet {person}?")]
    let ok: Confirm;
    ok.yes().to_string()
}

fn main() {
    let _ = greet();
}
