//! One question on a parameter, whose type takes a no for an answer.

use mrtr::prelude::*;

/// What to call somebody.
#[derive(Deserialize, JsonSchema, Form)]
struct Caller {
    /// Your name
    #[schemars(length(min = 1, max = 80))]
    name: String,
}

/// Says hello to whoever is there.
#[tool(title = "Who am I?", read_only)]
pub async fn whoami(#[ask(message = "What is your name?")] who: Option<Caller>) -> String {
    match who {
        Some(Caller { name }) => format!("Hello, {name}!"),
        None => "Hello, stranger!".to_owned(),
    }
}
