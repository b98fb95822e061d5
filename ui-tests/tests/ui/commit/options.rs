// The options of a commit: a flag has no value, a key has one, and a name comes first.

use mrtr::prelude::*;

#[tool]
async fn book(seat: String, how: u8) -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    match how {
        0 => {
            #[commit(c, idempotent = true, key)]
            drop(c.key("seat"));
        }
        1 => {
            #[commit(c, in_flow, in_flow, pin = &seat)]
            drop(c.key("seat"));
        }
        _ => {
            #[commit(in_flow, c, idempotent)]
            drop(seat);
        }
    }
    String::new()
}

fn main() {}
