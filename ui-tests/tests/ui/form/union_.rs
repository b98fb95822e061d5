// A union has no fields that serde could read.

use mrtr::prelude::*;

#[derive(Form)]
union Traveller {
    age: u8,
}

fn main() {}
