// A known external effect has an ask ahead of it on some path: a file is written, a request that writes is sent, a SQL statement changes rows, a mail leaves, a process runs.

use mrtr::prelude::*;

#[tool]
async fn publish(text: String) -> Result<String, ToolError> {
    std::fs::write("page.html", &text)?;
    #[ask(message = "Publish the page?")]
    let ok: Confirm;
    Ok(format!("published: {}", ok.yes()))
}

fn main() {}
