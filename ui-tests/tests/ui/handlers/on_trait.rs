// The tools of a trait are not seen where it is implemented.

use mrtr::prelude::*;

struct Desk;

#[handlers]
impl Clone for Desk {
    fn clone(&self) -> Self {
        Desk
    }
}

fn main() {}
