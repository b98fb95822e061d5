// A commit is a whole statement, so that its end can be seen.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    let seat = String::from(#[commit] "12A");
    seat
}

fn main() {}
