// An async closure is not the handler either.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    let ask = async || {
        #[ask(message = "Who?")]
        let who: String;
        who
    };
    ask().await
}

fn main() {
    let _ = greet();
}
