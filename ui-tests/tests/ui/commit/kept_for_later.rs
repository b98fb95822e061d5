// A commit kept beyond its statement does not bring the right to ask back.

use mrtr::prelude::*;

async fn pay(c: &mut Commit) -> String {
    c.key("pay")
}

#[tool]
async fn book() -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    #[commit(c)]
    let late = async move { pay(c).await };
    #[ask(message = "Happy?")]
    let _happy: Confirm;
    let _ = _happy.yes();
    late.await
}

fn main() {}
