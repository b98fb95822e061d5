// A form is read by serde; rustc says so at the type's name.

use mrtr::prelude::*;

#[derive(JsonSchema, Form)]
struct Traveller {
    name: String,
}

fn main() {}
