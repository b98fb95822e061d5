// A bound of the wrong kind is told, because schemars would leave it out without a word.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    #[schemars(range(min = 1, max = 9))]
    name: String,
    #[schemars(length(equal = 3))]
    code: Option<u16>,
}

fn main() {}
