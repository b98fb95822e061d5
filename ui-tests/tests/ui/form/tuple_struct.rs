// The client shows each field under its name.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller(String, u8);

fn main() {}
