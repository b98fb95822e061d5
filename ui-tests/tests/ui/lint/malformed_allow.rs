// An allow names no finding that exists, or gives no reason.

use mrtr::prelude::*;

#[tool]
async fn cache() -> Result<String, ToolError> {
    #[mrtr::allow(effect_above_ask)]
    std::fs::write("cache", "1")?;
    #[ask(message = "Use it?")]
    let ok: Confirm;
    Ok(format!("{}", ok.yes()))
}

fn main() {}
