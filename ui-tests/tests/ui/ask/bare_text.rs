// A text without a name says which option it most likely is.

use mrtr::prelude::*;

#[tool]
async fn greet() -> String {
    #[ask("Who?")]
    let who: String;
    who
}

#[resource("notes:///today")]
async fn today() -> String {
    String::new()
}

#[resource("notes:///{day}")]
async fn note(day: String) -> String {
    day
}

fn main() {
    let _ = (greet(), today(), note());
}
