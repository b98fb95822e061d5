// A published schema knows no type parameters.

use mrtr::prelude::*;

#[tool]
async fn echo<T: ToString>(value: T) -> String {
    value.to_string()
}

fn main() {
    let _ = echo();
}
