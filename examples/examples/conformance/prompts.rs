//! Prompts: with arguments, with content of every kind, and one that asks.

use mrtr::prelude::*;
use mrtr::{Completing, Completions, Prompt, PromptMessage};

use super::resources::PIXEL;

/// The prompts of this file.
pub(super) fn prompts() -> [Prompt; 5] {
    [
        test_simple_prompt(),
        test_prompt_with_arguments(),
        test_prompt_with_embedded_resource(),
        test_prompt_with_image(),
        test_input_required_result_prompt(),
    ]
}

/// A prompt without arguments.
#[prompt]
async fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

async fn words(typed: Completing) -> Completions {
    typed.matching(["paris", "park", "party"])
}

/// A prompt with two arguments.
#[prompt]
async fn test_prompt_with_arguments(
    /// First test argument
    #[arg(complete = words)]
    arg1: String,
    /// Second test argument
    arg2: String,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

/// A prompt that carries a resource.
#[prompt]
async fn test_prompt_with_embedded_resource(
    /// URI of the resource to embed
    #[serde(rename = "resourceUri")]
    resource_uri: String,
) -> [PromptMessage; 2] {
    let resource = ContentBlock::resource_text(
        resource_uri,
        "text/plain",
        "Embedded resource content for testing.",
    );
    [
        PromptMessage::user(resource),
        PromptMessage::user("Please process the embedded resource above."),
    ]
}

/// A prompt that carries an image.
#[prompt]
async fn test_prompt_with_image() -> [PromptMessage; 2] {
    [
        PromptMessage::user(ContentBlock::image(PIXEL, "image/png")),
        PromptMessage::user("Please analyze the image above."),
    ]
}

#[derive(Deserialize, JsonSchema, Form)]
struct Background {
    context: String,
}

/// A prompt that asks.
#[prompt]
async fn test_input_required_result_prompt() -> String {
    #[ask(message = "What context should the prompt use?")]
    let user_context: Background;
    format!("Use this context: {}", user_context.context)
}
