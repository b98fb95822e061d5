// The answer is the value.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(message = "Who?")]
    let who: String = String::new();
    who
}

fn main() {
    let _ = greet();
}
