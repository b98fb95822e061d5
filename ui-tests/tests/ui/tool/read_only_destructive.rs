// The two hints exclude each other.

use mrtr::prelude::*;

#[tool(read_only, destructive)]
async fn book() -> String {
    String::new()
}

fn main() {}
