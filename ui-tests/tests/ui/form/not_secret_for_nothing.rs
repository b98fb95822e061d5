// An excuse that excuses nothing would hide a later mistake.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    #[form(not_secret = "it is public")]
    name: String,
}

fn main() {}
