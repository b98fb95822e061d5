// Roots have a type of their own.

use mrtr::prelude::*;

#[tool]
async fn folders() -> String {
    #[ask(roots)]
    let folders: Vec<String>;
    folders.join(" ")
}

fn main() {
    let _ = folders();
}
