// A flow commits once: the second commit has no context left.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    #[commit]
    drop(1);
    #[commit]
    drop(2);
    String::new()
}

fn main() {}
