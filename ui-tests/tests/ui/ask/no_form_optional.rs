// `Option` does not make a form of a type that is none.

use mrtr::prelude::*;

struct Person;

#[tool]
async fn greet() -> String {
    #[ask(message = "Who?")]
    let who: Option<Person>;
    who.map(|_| String::new()).unwrap_or_default()
}

fn main() {
    let _ = greet();
}
