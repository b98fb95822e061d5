// A helper asks through the context of its caller.

use mrtr::prelude::*;

#[asking]
async fn pick(name: String) -> String {
    #[ask(message = "Which, {name}?")]
    let which: String;
    which
}

fn main() {}
