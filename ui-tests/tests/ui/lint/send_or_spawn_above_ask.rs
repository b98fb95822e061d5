// A message is sent, a notification given, or a task started above an ask.

use mrtr::prelude::*;

#[tool]
async fn warm(topic: String) -> Result<String, ToolError> {
    tokio::spawn(async move { drop(topic) });
    #[ask(message = "Go on?")]
    let ok: Confirm;
    Ok(format!("{}", ok.yes()))
}

fn main() {}
