// A model's answer is more than its words.

use mrtr::Sample;
use mrtr::prelude::*;

#[tool]
async fn summarise() -> String {
    #[ask(sample = Sample::new("Sum up: .."))]
    let summary: String;
    summary
}

fn main() {
    let _ = summarise();
}
