// One key is asked twice in one run: at two places of one path, or in a loop under a constant key.

use mrtr::prelude::*;

#[tool]
async fn trip(ctx: &Ctx) -> Result<String, ToolError> {
    let from: String = ctx.ask("city", "From where?").await;
    let to: String = ctx.ask("city", "To where?").await;
    Ok(format!("{from} to {to}"))
}

fn main() {}
