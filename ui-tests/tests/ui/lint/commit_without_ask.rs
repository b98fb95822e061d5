// A commit can be reached without any required question on the way.

use mrtr::prelude::*;

#[tool(effects = "deny")]
async fn erase(all: bool) -> Result<String, ToolError> {
    if all {
        #[ask(message = "Erase everything?")]
        let ok: Confirm;
        if !ok.yes() {
            return Err(ToolError::user("not erased"));
        }
    }
    #[commit]
    std::fs::write("data", "")?;
    Ok("erased".to_owned())
}

fn main() {}
