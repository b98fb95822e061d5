// A model reads what it is given, and nobody is shown a message.

use mrtr::prelude::*;
use mrtr::{Sample, Sampled};

#[tool]
async fn summarise() -> String {
    #[ask(message = "Sum up?", sample = Sample::new("Sum up: .."))]
    let summary: Sampled;
    summary.text()
}

fn main() {
    let _ = summarise();
}
