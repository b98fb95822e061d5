// A resource has no effects: clients read it whenever they like.
use mrtr::prelude::*;

#[resource(uri = "notes:///today")]
async fn today() -> String {
    #[ask(message = "Go on?")]
    let ok: Confirm;
    let _ = ok.yes();
    #[commit]
    let text = if ok.yes() { "yes" } else { "no" };
    text.to_owned()
}

fn main() {
    let _ = today;
}
