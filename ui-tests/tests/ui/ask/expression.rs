// An ask declares a variable.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(message = "Who?")]
    println!("who");
    String::new()
}

fn main() {
    let _ = greet();
}
