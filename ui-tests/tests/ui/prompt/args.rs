// Arguments of prompts are text, one by one, so that no struct is read from them.
use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema)]
struct All {
    language: String,
}

#[prompt]
async fn review(Args(all): Args<All>) -> String {
    all.language
}

fn main() {
    let _ = review;
}
