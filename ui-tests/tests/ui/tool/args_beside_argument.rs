// `Args<T>` holds all the arguments or none.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema)]
struct Greeting {
    name: String,
}

#[tool]
async fn greet(Args(greeting): Args<Greeting>, again: bool) -> String {
    format!("{}{again}", greeting.name)
}

fn main() {
    let _ = greet();
}
