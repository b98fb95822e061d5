// Only choices can be picked several at a time.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Age(u8);

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    ages: Vec<Age>,
}

fn main() {}
