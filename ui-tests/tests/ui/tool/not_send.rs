// A handler may move between threads while it waits.

use mrtr::prelude::*;

use std::rc::Rc;

#[tool]
async fn greet() -> String {
    let name = Rc::new(String::from("Ada"));
    #[ask(message = "Greet?")]
    let ok: Confirm;
    format!("{name}{}", ok.yes())
}

fn main() {}
