// An ask has no error that `?` could pass on.

use mrtr::prelude::*;

#[tool]
async fn greet(ctx: &Ctx) -> Result<String, ToolError> {
    let who: String = ctx.ask("who", "Who?").await?;
    Ok(who)
}

fn main() {
    let _ = greet();
}
