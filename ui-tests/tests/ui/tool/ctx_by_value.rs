// The context is borrowed: only `#[commit]` may take it.

use mrtr::prelude::*;

#[tool]
async fn greet(ctx: Ctx) -> String {
    format!("{ctx:?}")
}

fn main() {
    let _ = greet();
}
