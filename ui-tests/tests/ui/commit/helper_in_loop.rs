// The next turn of the loop asks again, after the commit of this one.

use mrtr::prelude::*;

async fn pay(c: &mut Commit) -> String {
    c.key("pay")
}

#[tool]
async fn book(seats: Vec<String>) -> String {
    for seat in seats {
        #[ask(key = format!("ok.{seat}"), message = "Book {seat}?")]
        let _ok: Confirm;
        let _ = _ok.yes();
        #[commit(c)]
        pay(c).await;
    }
    String::new()
}

fn main() {}
