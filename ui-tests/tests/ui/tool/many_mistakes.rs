// All mistakes of one tool are reported in one build, and none of them by rustc again.

use mrtr::prelude::*;

#[tool(name = "say hello", flow_ttl = "5 minutes", effects = "strict", meta)]
async fn greet(name: &str, age: impl Into<u8>) -> String {
    #[ask]
    let who: String;
    #[ask(message = "How old?")]
    let how_old = age.into();
    format!("{name}{who}{how_old}")
}

fn main() {
    let _ = greet();
}
