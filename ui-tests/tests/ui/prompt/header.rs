// Only arguments of tools are mirrored in headers.
use mrtr::prelude::*;

#[prompt]
async fn review(#[arg(header = "Language")] language: String) -> String {
    language
}

fn main() {
    let _ = review;
}
