// A title names a secret as a field's name does.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
struct Login {
    /// Your access token
    code: String,
}

fn main() {}
