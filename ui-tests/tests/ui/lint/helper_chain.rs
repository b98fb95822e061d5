// A helper of the same crate has the effect, two calls down: the chain is printed.

use mrtr::prelude::*;

fn note(line: &str) {
    append(line);
}

fn append(line: &str) {
    let _ = std::fs::write("audit.log", line);
}

#[tool(effects = "deny")]
async fn pay() -> String {
    note("asked to pay");
    #[ask(message = "Pay?")]
    let ok: Confirm;
    format!("{}", ok.yes())
}

fn main() {}
