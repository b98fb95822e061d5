// A commit in one branch, an ask below both: the branch leads to the ask.

use mrtr::prelude::*;

async fn pay(c: &mut Commit) -> String {
    c.key("pay")
}

#[tool]
async fn book(now: bool) -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    if now {
        #[commit(c)]
        pay(c).await;
    }
    #[ask(message = "Send the receipt by mail?")]
    let receipt: bool;
    receipt.to_string()
}

fn main() {}
