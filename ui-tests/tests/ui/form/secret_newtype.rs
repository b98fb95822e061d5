// A newtype's own name can be a secret's.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct CardNumber(String);

fn main() {}
