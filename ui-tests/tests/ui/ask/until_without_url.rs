// Only a link is done with later than it is agreed to.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(message = "Who?", until = true)]
    let who: String;
    who
}

fn main() {
    let _ = greet();
}
