// A default that serde does not know would make valid answers fail.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    #[schemars(default)]
    name: String,
}

fn main() {}
