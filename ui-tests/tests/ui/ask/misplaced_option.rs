// An option of another attribute says where it belongs.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(message = "Who?", title = "Who")]
    let who: String;
    who
}

fn main() {
    let _ = greet();
}
