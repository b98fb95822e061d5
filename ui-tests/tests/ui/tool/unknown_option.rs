// A typing mistake in an option lists the options and suggests the nearest.

use mrtr::prelude::*;

#[tool(tilte = "Greet")]
async fn greet() -> String {
    String::new()
}

fn main() {
    let _ = greet();
}
