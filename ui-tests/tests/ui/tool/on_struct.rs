// A tool is a function.

use mrtr::prelude::*;

#[tool]
pub struct Book;

fn main() {
    let _ = Book;
}
