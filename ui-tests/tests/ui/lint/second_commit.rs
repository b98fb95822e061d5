// A path leads from one commit to another, or around a loop to the same one.

use mrtr::prelude::*;

async fn book(_: &str) -> Result<(), ToolError> {
    Ok(())
}
#[tool]
async fn book_all(seats: Vec<String>) -> Result<String, ToolError> {
    #[ask(message = "Book all of them?")]
    let ok: Confirm;
    for seat in &seats {
        #[commit]
        book(seat).await?;
    }
    Ok(format!("{}", ok.yes()))
}

fn main() {}
