// The commit uses a value that was fetched above the last confirmation, and no question shows or pins it.

use mrtr::prelude::*;

async fn quote(flight: &str) -> Result<u32, ToolError> {
    Ok(flight.len() as u32)
}
async fn charge(cents: u32) -> Result<(), ToolError> {
    drop(cents);
    Ok(())
}
#[tool(effects = "deny")]
async fn book(flight: String) -> Result<String, ToolError> {
    let price = quote(&flight).await?;
    #[ask(message = "Book {flight}?")]
    let ok: Confirm;
    if ok.yes() {
        #[commit]
        charge(price).await?;
    }
    Ok("done".to_owned())
}

fn main() {}
