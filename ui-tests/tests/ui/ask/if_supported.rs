// "Could not ask" must not look like any answer.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(message = "Who?", if_supported)]
    let who: Option<String>;
    who.unwrap_or_default()
}

fn main() {
    let _ = greet();
}
