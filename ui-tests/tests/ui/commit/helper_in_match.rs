// An arm that commits falls through to the ask below the match.

use mrtr::prelude::*;

async fn pay(c: &mut Commit) -> String {
    c.key("pay")
}

#[tool]
async fn book(how: u8) -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    let paid = loop {
        match how {
            0 => {
                #[commit(c)]
                let key = pay(c).await;
                break key;
            }
            _ => break String::new(),
        }
    };
    #[ask(message = "Happy?")]
    let happy: Confirm;
    let _ = happy.yes();
    paid + &happy.yes().to_string()
}

fn main() {}
