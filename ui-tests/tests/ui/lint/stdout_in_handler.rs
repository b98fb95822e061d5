// A handler writes to stdout.

use mrtr::prelude::*;

#[tool(effects = "deny")]
async fn hello() -> Result<String, ToolError> {
    println!("hello");
    Ok("hello".to_owned())
}

fn main() {}
