// A loop asks once for each of its items.

use mrtr::prelude::*;

#[tool(effects = "deny")]
async fn sizes(ctx: &Ctx, names: Vec<String>) -> Result<String, ToolError> {
    let mut sizes = Vec::new();
    for name in &names {
        let size: String = ctx.ask(name.clone(), "Size?").await;
        sizes.push(size);
    }
    Ok(sizes.join(", "))
}

fn main() {}
