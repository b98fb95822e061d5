// Options that say nothing for a link, all in one build.

use mrtr::prelude::*;

fn check(_: &Consented) -> Result<(), &'static str> {
    Ok(())
}

#[tool]
async fn connect() -> String {
    #[ask(
        message = "Connect?",
        url = "https://pay.example/",
        accept_unsolicited,
        default = "x",
        validate = check
    )]
    let page: Consented;
    let Consented { .. } = page;
    String::new()
}

fn main() {
    let _ = connect();
}
