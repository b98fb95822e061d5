// A choice needs something to choose.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
enum Seat {}

fn main() {}
