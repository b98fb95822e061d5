// A closure is not the handler: it may run more than once.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    let act = || {
        #[commit]
        drop(1);
    };
    act();
    String::new()
}

fn main() {}
