// A validator takes the answer by reference and says what is wrong.

use mrtr::prelude::*;

fn positive(n: &u8) -> Result<(), String> {
    if *n > 0 { Ok(()) } else { Err("is not positive".to_owned()) }
}

#[tool]
async fn greet() -> String {
    #[ask(message = "Who?", validate = positive)]
    let who: String;
    who
}

fn main() {
    let _ = greet();
}
