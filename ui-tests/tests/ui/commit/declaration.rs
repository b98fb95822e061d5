// A declaration has no effect that could be committed.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    #[ask(message = "Book?")]
    let ok: Confirm;
    let _ = ok.yes();
    #[commit]
    let seat: String;
    seat = ok.yes().to_string();
    seat
}

fn main() {}
