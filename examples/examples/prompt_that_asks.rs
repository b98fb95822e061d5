//! A prompt that asks: typed arguments, completions for one of them, and a question on the way.
//!
//! Arguments of prompts are text on the wire; any type with `FromStr` reads one. What does not
//! read is refused before the function runs.

use mrtr::prelude::*;
use mrtr::{Completing, Completions, PromptMessage, ServeError, Server};

const LANGUAGES: [&str; 4] = ["Go", "JavaScript", "Rust", "TypeScript"];

/// Completes the language while it is typed.
async fn languages(typed: Completing) -> Completions {
    typed.matching(LANGUAGES)
}

/// What a review looks for.
#[derive(Deserialize, JsonSchema, Form)]
struct Focus {
    /// What matters most
    matters: String,
}

/// Reviews a piece of code.
#[prompt(title = "Review code")]
async fn review(
    /// The language the code is written in
    #[arg(complete = languages)]
    language: String,
    /// The most remarks
    most: Option<u8>,
) -> Vec<PromptMessage> {
    #[ask(message = "What should a review of {language} look for?")]
    let focus: Focus;

    let most = most.unwrap_or(5);
    vec![
        PromptMessage::assistant(format!("I read {language} for a living.")),
        PromptMessage::user(format!(
            "Review my code. Look for {}; make at most {most} remarks.",
            focus.matters
        )),
    ]
}

/// The server.
pub fn server() -> Server {
    Server::new("reviews", "1.0.0").prompt(review)
}

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    server().run().await
}
