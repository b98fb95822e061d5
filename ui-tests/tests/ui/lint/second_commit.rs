// A path leads from one commit to another, or around a loop to the same one.

use mrtr::prelude::*;

async fn book(_: &str) -> Result<(), ToolError> {
    Ok(())
}
#[tool]
async fn book_all(seats: Vec<String>) -> Result<String, ToolError> {
    #[ask(message = "Book all of them?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("not booked"));
    }
    for seat in &seats {
        #[commit]
        book(seat).await?;
    }
    Ok("booked".to_owned())
}

fn main() {}
