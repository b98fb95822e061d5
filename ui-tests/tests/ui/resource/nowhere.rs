// A resource must be somewhere.
use mrtr::prelude::*;

#[resource(mime_type = "text/plain")]
async fn today() -> String {
    "rain".to_owned()
}

fn main() {
    let _ = today;
}
