// A prompt has no effects: clients get it whenever they like.
use mrtr::prelude::*;

#[prompt]
async fn review() -> String {
    #[ask(message = "Go on?")]
    let ok: Confirm;
    let _ = ok.yes();
    #[commit]
    let text = if ok.yes() { "yes" } else { "no" };
    text.to_owned()
}

fn main() {
    let _ = review;
}
