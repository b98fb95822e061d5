// What a module reads has to be described to the client.

use mrtr::prelude::*;

mod upper {
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<String, D::Error> {
        <String as serde::Deserialize>::deserialize(reader)
    }
}

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    #[serde(deserialize_with = "upper::deserialize")]
    name: String,
}

fn main() {}
