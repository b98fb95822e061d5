// Without a statement of ours the attribute does nothing.

use mrtr::prelude::*;

#[asking]
async fn pick(ctx: &Ctx) -> String {
    ctx.ask("which", "Which?").await
}

fn main() {}
