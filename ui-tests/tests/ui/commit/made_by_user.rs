// Nobody can make a commit: it comes from the statement that the driver let through.

use mrtr::prelude::*;

fn pay(_c: &mut Commit) {}

#[tool]
async fn book() -> String {
    let mut by_default = Commit::default();
    pay(&mut by_default);
    let mut by_new = Commit::new();
    pay(&mut by_new);
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    #[commit(c)]
    pay(c);
    String::new()
}

fn main() {}
