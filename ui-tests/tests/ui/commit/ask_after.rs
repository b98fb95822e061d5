// After the commit there is nothing left to ask with.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    #[commit]
    drop(1);
    #[ask(message = "Happy?")]
    let happy: Confirm;
    happy.yes().to_string()
}

fn main() {}
