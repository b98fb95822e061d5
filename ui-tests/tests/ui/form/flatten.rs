// Flattened fields have no order, and forms are flat.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Name {
    given: String,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    #[serde(flatten)]
    name: Name,
    age: u8,
}

fn main() {}
