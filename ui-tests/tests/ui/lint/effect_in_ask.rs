// An effect stands inside an ask's own message, key or options.

use mrtr::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

static TICKETS: AtomicU64 = AtomicU64::new(0);

#[tool]
async fn ticket() -> Result<String, ToolError> {
    #[ask(message = format!("Take ticket {}?", TICKETS.fetch_add(1, Ordering::Relaxed)))]
    let ok: Confirm;
    Ok(format!("taken: {}", ok.yes()))
}

fn main() {}
