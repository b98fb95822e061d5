// The type of an answer must be something a form can ask for.

use mrtr::prelude::*;

struct Person;

#[tool]
async fn greet() -> String {
    #[ask(message = "Who?")]
    let who: Person;
    { let Person = who; String::new() }
}

fn main() {
    let _ = greet();
}
