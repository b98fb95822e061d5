// A helper, a macro of this crate or a function marked `#[effect]` has an effect, and is called above an ask.

use mrtr::prelude::*;

mod ledger {
    pub fn append(_: &str) {}
}
#[tool(effects = "deny")]
async fn pay() -> String {
    #[effect]
    fn audit(line: &str) {
        ledger::append(line);
    }
    audit("asked to pay");
    #[ask(message = "Pay?")]
    let ok: Confirm;
    format!("{}", ok.yes())
}

fn main() {}
