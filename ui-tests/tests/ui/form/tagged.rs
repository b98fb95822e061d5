// A tag would be a member that no field asks for.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
#[serde(tag = "kind")]
struct Traveller {
    name: String,
}

fn main() {}
