// While the body does not parse, only rustc speaks.

use mrtr::prelude::*;

#[tool]
async fn greet(name: String) -> String {
    #[ask(message = "Greet {name}?")]
    let ok: Confirm;
    name.
}

fn main() {
    let _ = greet();
}
