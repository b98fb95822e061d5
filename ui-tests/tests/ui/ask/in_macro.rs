// The tokens of a macro call are invisible to the handler.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    let who = vec![{
        #[ask(message = "Who?")]
        let who: String;
        who
    }];
    who.concat()
}

fn main() {
    let _ = greet();
}
