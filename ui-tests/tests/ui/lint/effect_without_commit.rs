// The tool asks, and what it does then is in no commit.

use mrtr::prelude::*;

#[effect]
async fn pay(invoice: &str) -> Result<(), ToolError> {
    let _ = invoice;
    Ok(())
}

#[tool(effects = "deny")]
async fn settle(invoice: String) -> Result<String, ToolError> {
    #[ask(message = "Pay {invoice}?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not paid"));
    }
    pay(&invoice).await?;
    Ok("paid".to_owned())
}

fn main() {}
