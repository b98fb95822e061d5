// A form is published by its schema; rustc says so at the type's name.

use mrtr::prelude::*;

#[derive(Deserialize, Form)]
struct Traveller {
    name: String,
}

fn main() {}
