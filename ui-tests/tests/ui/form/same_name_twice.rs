// Two fields cannot have one name in an answer.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    name: String,
    #[serde(rename = "name")]
    alias: String,
}

fn main() {}
