// The rules for statements hold for parameters.

use mrtr::prelude::*;

#[tool]
async fn greet(
    #[ask] who: String,
    #[ask(message = "Sure?", if_supported)] sure: Confirm,
    #[ask(message = "Both?")] (a, b): (u8, u8),
    #[ask(message = "Which?")] which: &str,
) -> String {
    format!("{who}{}{a}{b}{which}", sure.yes())
}

fn main() {
    let _ = greet();
}
