// Clients refuse names with other characters.

use mrtr::prelude::*;

#[tool(name = "book flight")]
async fn book() -> String {
    String::new()
}

fn main() {}
