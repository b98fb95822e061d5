// A method that asks belongs to the server; one that does not stays callable.

use mrtr::prelude::*;

struct Desk;

#[handlers]
impl Desk {
    #[tool]
    async fn count(&self) -> usize {
        1
    }

    #[tool]
    async fn book(&self) -> String {
        #[ask(message = "Which seat?")]
        let seat: String;
        seat
    }
}

fn main() {
    let _ = Desk.count();
    let _ = Desk.book();
}
