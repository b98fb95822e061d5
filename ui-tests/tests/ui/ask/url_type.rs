// A link is answered by consent, not by words.

use mrtr::prelude::*;

#[tool]
async fn connect() -> String {
    #[ask(message = "Connect?", url = "https://pay.example/")]
    let page: String;
    page
}

fn main() {
    let _ = connect();
}
