// An ask inside an expression has no variable to fill.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    let who = #[ask(message = "Who?")] String::new();
    who
}

fn main() {
    let _ = greet();
}
