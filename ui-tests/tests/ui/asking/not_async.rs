// A helper waits for answers.

use mrtr::prelude::*;

#[asking]
fn pick(ctx: &Ctx) -> String {
    #[ask(message = "Which?")]
    let which: String;
    which
}

fn main() {}
