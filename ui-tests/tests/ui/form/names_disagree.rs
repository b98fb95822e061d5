// The name that is published has to be the name that is read.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    #[schemars(rename = "fullName")]
    name: String,
}

fn main() {}
