// The way out says why, for those who review it.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Rename {
    #[form(not_secret = "")]
    token: String,
}

fn main() {}
