// A guard whose drop has an effect is alive across an ask, or dropped above one.

use mrtr::prelude::*;

struct Lock;

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file("app.lock");
    }
}

#[tool(effects = "deny")]
async fn upgrade() -> String {
    let _lock = Lock;
    #[ask(message = "Upgrade now?")]
    let ok: Confirm;
    format!("{}", ok.yes())
}

fn main() {}
