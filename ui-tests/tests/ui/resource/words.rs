// Options with a few legal words name them.
use mrtr::prelude::*;

#[resource(uri = "notes:///today", scope = "shared", audience = "model", ttl = "soon")]
async fn today() -> String {
    "rain".to_owned()
}

fn main() {
    let _ = today;
}
