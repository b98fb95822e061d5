// State that outlives the round is changed above an ask: a field of `self`, a static, what a lock guards, an atomic, the environment of the process.

use mrtr::prelude::*;
use std::sync::Mutex;

static VISITORS: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[tool]
async fn visit(name: String) -> Result<String, ToolError> {
    VISITORS.lock().expect("no visitor panics").push(name);
    #[ask(message = "Sign the book?")]
    let ok: Confirm;
    Ok(format!("signed: {}", ok.yes()))
}

fn main() {}
