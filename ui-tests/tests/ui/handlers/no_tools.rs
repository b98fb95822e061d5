// A block without tools needs no attribute.

use mrtr::prelude::*;

struct Desk;

#[handlers]
impl Desk {
    async fn book(&self) {}
}

fn main() {}
