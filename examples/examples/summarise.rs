//! `sample`: the client's own model is asked. The specification deprecates this: a new server
//! calls a model itself.

use mrtr::prelude::*;
use mrtr::{Sample, Sampled, ServeError, Server};

/// Sums up a text in one sentence.
#[tool(read_only)]
async fn summarise(
    /// The text
    text: String,
) -> String {
    // Where the client has no model to ask, the tool still says something.
    #[ask(
        sample = Sample::new(text.clone()).system("Sum up in one sentence.").max_tokens(100),
        if_supported
    )]
    let summary: Answer<Sampled>;
    match summary.accepted() {
        Some(said) => said.text(),
        None => text.chars().take(80).collect(),
    }
}

/// The server.
pub fn server() -> Server {
    Server::new("summarise", "1.0.0").tool(summarise)
}

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    server().run().await
}
