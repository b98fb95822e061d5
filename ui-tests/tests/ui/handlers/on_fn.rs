// A free function takes `#[tool]`.

use mrtr::prelude::*;

#[handlers]
async fn book() {}

fn main() {}
