// A look says yes or no.

use mrtr::prelude::*;

#[tool]
async fn connect() -> String {
    #[ask(message = "Connect?", url = "https://pay.example/", until = 7)]
    let page: Consented;
    let Consented { .. } = page;
    String::new()
}

fn main() {
    let _ = connect();
}
