// An ask can be reached after the commit, or stands beside it in a `join!`.

use mrtr::prelude::*;

#[tool]
async fn order() -> Result<String, ToolError> {
    #[ask(message = "Order?")]
    let ok: Confirm;
    let _ = ok.yes();
    #[commit]
    std::fs::write("order", "1")?;
    #[ask(message = "How was it?")]
    let stars: u8;
    Ok(format!("{} {stars}", ok.yes()))
}

fn main() {}
