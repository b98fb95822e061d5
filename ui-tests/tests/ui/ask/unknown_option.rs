// A typing mistake in an option lists the options and suggests the nearest.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(mesage = "Who?")]
    let who: String;
    who
}

fn main() {
    let _ = greet();
}
