// A form is one question with one schema.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller<T> {
    name: T,
}

fn main() {}
