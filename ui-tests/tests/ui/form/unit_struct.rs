// A form without fields has braces, because serde reads a unit struct from null.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Agreed;

fn main() {}
