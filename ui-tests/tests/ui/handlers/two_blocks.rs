// All tools of a type stand in one block, because a type can be mounted once.

use mrtr::prelude::*;

struct Desk;

#[handlers]
impl Desk {
    #[tool]
    async fn book(&self) -> String {
        String::new()
    }
}

#[handlers]
impl Desk {
    #[tool]
    async fn cancel(&self) -> String {
        String::new()
    }
}

fn main() {}
