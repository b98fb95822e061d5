//! A prompt that asks.

use mrtr::PromptMessage;
use mrtr::prelude::*;

/// Reviews a piece of code.
#[prompt(title = "Review code")]
pub(crate) async fn review(
    /// The language the code is written in
    language: String,
) -> Vec<PromptMessage> {
    #[ask(message = "What should a review of {language} look for?")]
    let focus: String;
    vec![PromptMessage::user(format!(
        "Review my {language}. Look for {focus}."
    ))]
}
