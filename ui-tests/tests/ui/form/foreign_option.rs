// Titles and bounds are options of schemars, which the form reads.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    #[form(title = "Age")]
    age: u8,
    #[form(range(1..=9))]
    seats: u8,
}

fn main() {}
