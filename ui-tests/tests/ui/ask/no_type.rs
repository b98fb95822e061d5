// The type says what is asked.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(message = "Who?")]
    let who;
    format!("{who}")
}

fn main() {
    let _ = greet();
}
