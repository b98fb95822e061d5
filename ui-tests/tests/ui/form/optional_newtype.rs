// An Option belongs to the field, not to its type.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Nick(Option<String>);

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    nick: Nick,
}

fn main() {}
