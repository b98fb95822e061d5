// The backstop where the lint sees no ask: the context is gone.

use mrtr::prelude::*;

async fn survey(asks: &Ctx) -> bool {
    asks.ask("happy", "Happy?").await
}

#[tool]
async fn book(ctx: &Ctx) -> String {
    let again = ctx;
    #[ask(message = "Book?")]
    let _ok: Confirm;
    let _ = _ok.yes();
    #[commit]
    drop(1);
    survey(again).await.to_string()
}

fn main() {}
