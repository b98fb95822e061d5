// All calls share one value, so a tool borrows it.

use mrtr::prelude::*;

struct Desk;

#[handlers]
impl Desk {
    #[tool]
    async fn close(self) -> String {
        String::new()
    }

    #[tool]
    async fn change(&mut self) -> String {
        String::new()
    }

    #[tool]
    async fn make() -> String {
        String::new()
    }
}

fn main() {}
