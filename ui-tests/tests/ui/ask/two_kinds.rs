// One question is of one kind.

use mrtr::prelude::*;
use mrtr::{Sample, Sampled};

#[tool]
async fn ask() -> String {
    #[ask(sample = Sample::new("Pick one."), options = ["a", "b"])]
    let said: Sampled;
    said.text()
}

fn main() {
    let _ = ask();
}
