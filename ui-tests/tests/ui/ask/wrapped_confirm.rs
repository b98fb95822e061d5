// A `Confirm` is a no already when it is declined.

use mrtr::prelude::*;

#[tool]
async fn erase(#[ask(message = "Sure?")] sure: Answer<Confirm>) -> String {
    #[ask(message = "Erase?")]
    let ok: Option<Confirm>;
    format!("{sure:?} {ok:?}")
}

fn main() {}
