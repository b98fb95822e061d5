// An `impl` block has an attribute of its own.

use mrtr::prelude::*;

struct Desk;

#[tool]
impl Desk {}

fn main() {}
