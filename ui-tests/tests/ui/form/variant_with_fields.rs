// A choice is one text of a list.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
enum Seat {
    Window,
    Row(u8),
}

fn main() {}
