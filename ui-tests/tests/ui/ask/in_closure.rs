// A closure is not the handler: its asks need the context.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    let ask = || {
        #[ask(message = "Who?")]
        let who: String;
        who
    };
    ask()
}

fn main() {
    let _ = greet();
}
