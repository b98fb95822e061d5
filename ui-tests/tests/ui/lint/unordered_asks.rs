// Asks follow the order of a `HashMap` or a `HashSet`.

use mrtr::prelude::*;
use std::collections::HashSet;

#[tool(effects = "deny")]
async fn colors(ctx: &Ctx, rooms: Vec<String>) -> Result<String, ToolError> {
    let rooms: HashSet<String> = rooms.into_iter().collect();
    let colors: Vec<String> = ctx
        .ask_all(rooms.iter().map(|room| (room.clone(), "Color?")))
        .await;
    Ok(colors.join(", "))
}

fn main() {}
