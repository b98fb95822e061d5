// An unknown option lists the known ones.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema, Form)]
#[form(enum_name)]
enum Seat {
    Window,
}

fn main() {}
