// `#[from_call]` needs a type that can be made from a call.

use mrtr::prelude::*;

struct User;

#[tool]
async fn greet(#[from_call] user: User) -> String {
    let User = user;
    String::new()
}

fn main() {}
