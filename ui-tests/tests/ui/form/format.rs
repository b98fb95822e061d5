// A form knows four formats.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Host {
    #[schemars(ipv4)]
    address: String,
}

fn main() {}
