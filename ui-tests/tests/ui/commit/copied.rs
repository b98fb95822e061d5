// A commit cannot be multiplied to be used after its statement.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    let kept: Commit;
    #[commit(c)]
    {
        kept = c.clone();
    }
    kept.key("seat")
}

fn main() {}
