// A published schema needs the type itself.

use mrtr::prelude::*;

#[tool]
async fn greet(name: impl ToString) -> String {
    name.to_string()
}

fn main() {
    let _ = greet();
}
