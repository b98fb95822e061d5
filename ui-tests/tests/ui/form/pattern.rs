// A form has no patterns; dropping one silently would let anything through.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    #[schemars(regex(pattern = "^[A-Z]+$"))]
    name: String,
    #[schemars(contains(pattern = "@"))]
    handle: String,
}

fn main() {}
