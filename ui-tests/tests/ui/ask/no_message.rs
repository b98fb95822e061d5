// An ask without a question cannot be shown.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask]
    let who: String;
    who
}

fn main() {
    let _ = greet();
}
