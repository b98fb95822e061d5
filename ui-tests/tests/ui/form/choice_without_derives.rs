// A choice needs the same derives as a form.

use mrtr::prelude::*;

#[derive(Form)]
enum Seat {
    Window,
}

fn main() {}
