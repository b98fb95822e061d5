// A tool that no server has is unused code, and rustc says so at its name.

#![deny(dead_code)]

use mrtr::prelude::*;

#[tool]
async fn forgotten() -> String {
    String::new()
}

fn main() {}
