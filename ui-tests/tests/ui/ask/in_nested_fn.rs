// A nested function needs a context of its own.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    async fn inner() -> String {
        #[ask(message = "Who?")]
        let who: String;
        who
    }
    inner().await
}

fn main() {
    let _ = greet();
}
