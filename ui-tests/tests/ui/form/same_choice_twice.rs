// Two choices cannot have one value.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
#[serde(rename_all = "lowercase")]
enum Seat {
    Window,
    WINDOW,
}

fn main() {}
