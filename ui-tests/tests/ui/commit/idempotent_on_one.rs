// Where a server vanished nobody knows which commit it had reached, so all of them must agree.

use mrtr::prelude::*;

#[tool]
async fn book(seat: String, gift: bool) -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    if gift {
        #[commit(idempotent)]
        drop(seat);
    } else {
        #[commit]
        drop(seat);
    }
    String::new()
}

fn main() {}
