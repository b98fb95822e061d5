// What is picked from run-time choices says so in its type.

use mrtr::prelude::*;

#[tool]
async fn choose() -> String {
    #[ask(message = "Which?", options = ["a", "b"])]
    let which: String;
    which
}

fn main() {
    let _ = choose();
}
