// An argument needs a name on the wire.

use mrtr::prelude::*;

#[tool]
async fn greet(_: String, (a, b): (u8, u8)) -> String {
    format!("{a}{b}")
}

fn main() {
    let _ = greet();
}
