// One commit per path: put the loop inside it.

use mrtr::prelude::*;

#[tool]
async fn book(seats: Vec<String>) -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    for seat in seats {
        #[commit]
        drop(seat);
    }
    String::new()
}

fn main() {}
