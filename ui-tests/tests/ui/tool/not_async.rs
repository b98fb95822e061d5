// A tool waits for answers, so a plain `fn` cannot be one.

use mrtr::prelude::*;

#[tool]
fn greet(name: String) -> String {
    format!("Hello, {name}!")
}

fn main() {
    let _ = greet();
}
