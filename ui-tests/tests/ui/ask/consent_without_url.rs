// Consent is consent to open a link, and there is none.

use mrtr::prelude::*;

#[tool]
async fn connect() -> String {
    #[ask(message = "Connect?")]
    let page: Consented;
    let Consented { .. } = page;
    String::new()
}

fn main() {
    let _ = connect();
}
