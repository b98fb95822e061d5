// A helper with effects takes `&mut Commit`, and outside a commit there is none to give it.

use mrtr::prelude::*;

async fn pay(c: &mut Commit) -> String {
    c.key("pay")
}

#[tool]
async fn book() -> String {
    let early = pay(c).await;
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    #[commit(c)]
    let late = pay(c).await;
    early + &late
}

fn main() {}
