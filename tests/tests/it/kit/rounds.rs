//! Calls that use all the rounds they have.

use mrtr::Server;
use mrtr::prelude::*;
use mrtr::testing::{Client, json};

/// Greets by name.
#[prompt]
async fn greeting() -> String {
    #[ask(message = "Your name?")]
    let name: String;
    format!("Greet {name}.")
}

/// The guide for a topic.
#[resource(uri = "guide://topic")]
async fn guide() -> String {
    #[ask(message = "Which topic?")]
    let topic: String;
    topic
}

fn client() -> Client {
    Client::new(
        Server::new("short", "1")
            .max_rounds(2)
            .prompt(greeting)
            .resource(guide),
    )
}

#[tokio::test]
async fn a_prompt_may_use_its_last_round() {
    let played = client()
        .prompt("greeting", json!({}))
        .answer("name", json!({ "value": "Ada" }))
        .await;
    assert_eq!(played.asked(), [["name"]]);
}

#[tokio::test]
async fn a_resource_may_use_its_last_round() {
    let played = client()
        .read("guide://topic")
        .answer("topic", json!({ "value": "Rust" }))
        .await;
    assert_eq!(played.asked(), [["topic"]]);
}
