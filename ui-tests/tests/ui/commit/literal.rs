// Nobody can make a commit by writing it down: what it is made of is nobody else's.

use mrtr::prelude::*;

fn pay(_c: &mut Commit) {}

#[tool]
async fn book(ctx: &Ctx) -> String {
    let mut written = Commit { call: ctx.call().clone(), in_flow: true };
    pay(&mut written);
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    #[commit(c)]
    pay(c);
    String::new()
}

fn main() {}
