// A clock, random or unique value is made above an ask and used below it.

use mrtr::prelude::*;
use std::time::SystemTime;

#[tool(effects = "deny")]
async fn stamp() -> Result<String, ToolError> {
    let now = SystemTime::now();
    #[ask(message = "Stamp it?")]
    let ok: Confirm;
    Ok(format!("{} {now:?}", ok.yes()))
}

fn main() {}
