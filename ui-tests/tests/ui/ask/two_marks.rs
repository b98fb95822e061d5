// A statement asks or commits, not both.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(message = "Who?")]
    #[commit]
    let who: String;
    who
}

fn main() {
    let _ = greet();
}
