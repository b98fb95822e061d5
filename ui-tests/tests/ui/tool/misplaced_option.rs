// An option of another attribute says where it belongs.

use mrtr::prelude::*;

#[tool(message = "Who?")]
async fn greet() -> String {
    String::new()
}

fn main() {}
