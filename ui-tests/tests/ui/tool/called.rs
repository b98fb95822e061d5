// A tool is not called by name any more; its result comes from a server.

use mrtr::prelude::*;

#[tool]
async fn greet(name: String) -> String {
    name
}

fn main() {
    let _ = greet("Ada".to_owned());
}
