// A helper is a function.

use mrtr::prelude::*;

#[asking]
struct Pick;

fn main() {}
