// A method is a tool only in a block that is marked.

use mrtr::prelude::*;

struct Desk;

impl Desk {
    #[tool]
    async fn book(&self) -> String {
        String::new()
    }
}

fn main() {}
