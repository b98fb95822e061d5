// A no is a value: whoever does not look at the answer commits on it.

use mrtr::prelude::*;

#[tool(effects = "deny")]
async fn erase(path: String) -> Result<String, ToolError> {
    #[ask(message = "Erase {path}?")]
    let ok: Confirm;
    #[commit]
    std::fs::remove_file(&path)?;
    Ok(format!("erased, agreed: {}", ok.yes()))
}

fn main() {}
