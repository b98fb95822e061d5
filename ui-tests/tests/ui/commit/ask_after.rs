// After the commit there is nothing left to ask with.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    #[commit]
    drop(1);
    #[ask(message = "Happy?")]
    let happy: Confirm;
    let _ = happy.yes();
    happy.yes().to_string()
}

fn main() {}
