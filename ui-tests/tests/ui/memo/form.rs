// A memo is read back by its name, as its type.

use mrtr::prelude::*;

#[tool]
async fn book() -> String {
    #[memo]
    let quote = 1;
    #[memo]
    let (a, b): (u8, u8) = (1, 2);
    #[memo]
    let later: u8;
    #[memo]
    drop(3);
    later = 1;
    format!("{quote}{a}{b}{later}")
}

fn main() {}
