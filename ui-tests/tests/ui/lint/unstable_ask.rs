// A clock, random or unique value decides whether, what or under which key is asked.

use mrtr::prelude::*;
use std::time::SystemTime;

#[tool]
async fn hold() -> Result<String, ToolError> {
    let now = SystemTime::now();
    #[ask(message = format!("Hold the seat from {now:?}?"))]
    let ok: Confirm;
    Ok(format!("{}", ok.yes()))
}

fn main() {}
