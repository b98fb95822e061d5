// A commit takes the context, which a helper only borrows.

use mrtr::prelude::*;

#[asking]
async fn pick(ctx: &Ctx) -> String {
    #[ask(message = "Which?")]
    let which: String;
    #[commit]
    drop(which.clone());
    which
}

fn main() {}
