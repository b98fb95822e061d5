// `Json<T>` is how axum takes a body; arguments are parameters.

use mrtr::prelude::*;

#[derive(Deserialize, JsonSchema)]
struct Greeting {
    name: String,
}

#[tool]
async fn greet(Json(greeting): Json<Greeting>) -> String {
    greeting.name
}

fn main() {
    let _ = greet();
}
