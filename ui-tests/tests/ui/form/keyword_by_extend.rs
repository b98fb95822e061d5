// A form has no keyword that no client would check.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    #[schemars(extend("multipleOf" = 2))]
    seats: u8,
}

fn main() {}
