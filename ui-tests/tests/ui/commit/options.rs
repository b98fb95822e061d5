// A commit takes a name and nothing else.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    #[commit(key = "seat")]
    drop(1);
    String::new()
}

fn main() {}
