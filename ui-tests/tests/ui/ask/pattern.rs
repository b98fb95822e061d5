// An answer is one value, taken apart below.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(message = "Who?")]
    let (a, b): (String, String);
    a + &b
}

fn main() {
    let _ = greet();
}
