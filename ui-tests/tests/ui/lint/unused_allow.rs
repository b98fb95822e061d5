// An allow silences nothing.

use mrtr::prelude::*;

#[tool(effects = "deny")]
async fn tidy() -> Result<String, ToolError> {
    #[mrtr::allow(effect_above_ask, reason = "can be repeated")]
    let found = std::path::Path::new("x").exists();
    #[ask(message = "Tidy up?")]
    let ok: Confirm;
    Ok(format!("{found} {}", ok.yes()))
}

fn main() {}
