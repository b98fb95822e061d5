// An option in the wrong place says where it belongs.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
#[form(not_secret = "the name of a token")]
struct Rename {
    name: String,
}

fn main() {}
