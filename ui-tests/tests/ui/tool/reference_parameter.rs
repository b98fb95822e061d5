// A handler that runs again in every round cannot borrow from its caller.

use mrtr::prelude::*;

#[tool]
async fn greet(name: &str, tags: &[String], desk: &mut u8) -> String {
    *desk += 1;
    format!("{name}{tags:?}")
}

fn main() {
    let _ = greet();
}
