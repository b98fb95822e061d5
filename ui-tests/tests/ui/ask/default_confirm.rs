// Consent that is filled in is none.

use mrtr::prelude::*;

#[tool]
async fn delete() -> String {
    #[ask(message = "Delete it?", default = true)]
    let ok: Confirm;
    format!("{}", ok.yes())
}

fn main() {
    let _ = delete();
}
