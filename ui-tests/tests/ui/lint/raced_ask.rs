// An ask is raced: in `select!`, under a timeout, in a spawned task, under `block_on`.

use mrtr::prelude::*;
use std::time::Duration;

#[tool]
async fn quick(ctx: &Ctx) -> Result<String, ToolError> {
    let ok =
        tokio::time::timeout(Duration::from_secs(60), ctx.ask::<Confirm>("ok", "Quick?")).await;
    Ok(format!("{}", ok.is_ok()))
}

fn main() {}
