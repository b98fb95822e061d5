// A hole names its value.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask(message = "Greet {}?")]
    let ok: Confirm;
    ok.yes().to_string()
}

fn main() {
    let _ = greet();
}
