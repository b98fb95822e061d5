// A key is a short plain word.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(key = "the name", message = "Who?")]
    let who: String;
    who
}

fn main() {
    let _ = greet();
}
