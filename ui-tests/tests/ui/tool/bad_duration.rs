// A duration is a whole number and a unit.

use mrtr::prelude::*;

#[tool(flow_ttl = "5 minutes", round_ttl = "0s")]
async fn book() -> String {
    String::new()
}

fn main() {}
