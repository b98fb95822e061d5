// A commit takes a name and nothing else.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    #[commit(key = "seat")]
    drop(1);
    String::new()
}

fn main() {}
