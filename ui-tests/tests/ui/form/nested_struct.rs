// MCP forms are flat.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Address {
    street: String,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Traveller {
    home: Address,
}

fn main() {}
