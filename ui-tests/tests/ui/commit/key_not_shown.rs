// What a commit is about becomes a name, so it must have a text.

use mrtr::prelude::*;

struct Invoice;

#[tool]
async fn pay() -> String {
    #[ask(message = "Pay?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    let invoice = Invoice;
    #[commit(key = invoice)]
    drop(1);
    String::new()
}

fn main() {}
