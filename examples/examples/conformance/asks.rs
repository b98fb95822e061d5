//! Tools that ask: each kind of question, several at once, one after the other.

use mrtr::prelude::*;
use mrtr::{Roots, Sample, Sampled, Tool};

/// The tools of this file.
pub(super) fn tools() -> [Tool; 10] {
    [
        test_input_required_result_elicitation(),
        test_input_required_result_sampling(),
        test_input_required_result_list_roots(),
        test_input_required_result_request_state(),
        test_input_required_result_multiple_inputs(),
        test_input_required_result_multi_round(),
        test_input_required_result_tampered_state(),
        test_input_required_result_capabilities(),
        test_missing_capability(),
        test_streaming_elicitation(),
    ]
}

#[derive(Deserialize, JsonSchema, Form)]
struct Named {
    name: String,
}

#[derive(Deserialize, JsonSchema, Form)]
struct Coloured {
    color: String,
}

fn capital() -> Sample {
    Sample::new("What is the capital of France?").max_tokens(100)
}

/// Greets the user by name.
#[tool(read_only)]
async fn test_input_required_result_elicitation() -> String {
    // Nothing hangs on the answer, so that one may come along with the first request. The suite
    // sends it like this; without the option the question would be asked all the same.
    #[ask(message = "What is your name?", accept_unsolicited)]
    let user_name: Named;
    format!("Hello, {}!", user_name.name)
}

/// Asks the client's model.
#[tool(read_only)]
async fn test_input_required_result_sampling() -> String {
    #[ask(sample = capital())]
    let capital_question: Sampled;
    capital_question.text()
}

/// Asks for the client's roots.
#[tool(read_only)]
async fn test_input_required_result_list_roots() -> String {
    #[ask(roots)]
    let client_roots: Roots;
    format!("The client's roots: {}", listed(&client_roots))
}

/// Asks for a confirmation; the state has to come back with it.
#[tool(read_only)]
async fn test_input_required_result_request_state() -> &'static str {
    #[ask(message = "Please confirm")]
    let confirm: Confirm;
    if confirm.yes() {
        "state-ok: confirmed"
    } else {
        "state-ok: refused"
    }
}

/// Asks the user, the model and for the roots in one round.
#[tool(read_only)]
async fn test_input_required_result_multiple_inputs() -> String {
    #[ask(message = "What is your name?")]
    let user_name: Named;
    #[ask(sample = Sample::new("Generate a greeting").max_tokens(50))]
    let greeting: Sampled;
    #[ask(roots)]
    let client_roots: Roots;
    let (name, roots) = (user_name.name, listed(&client_roots));
    format!("{} ({name}, {roots})", greeting.text())
}

/// Asks two questions, the second because of the first answer.
#[tool(read_only)]
async fn test_input_required_result_multi_round() -> String {
    #[ask(message = "Step 1: What is your name?")]
    let step1: Named;
    #[ask(message = "Step 2: What is your favorite color, {step1.name}?")]
    let step2: Coloured;
    format!("{} likes {}", step1.name, step2.color)
}

/// Asks for a confirmation; nobody but the server can write its state.
#[tool(read_only)]
async fn test_input_required_result_tampered_state() -> &'static str {
    #[ask(message = "Please confirm")]
    let confirm: Confirm;
    if confirm.yes() {
        "confirmed"
    } else {
        "refused"
    }
}

/// Asks only what the client can be asked.
#[tool(read_only)]
async fn test_input_required_result_capabilities() -> String {
    #[ask(message = "What is your name?", if_supported)]
    let user_name: Answer<Named>;
    #[ask(sample = Sample::new("Generate a greeting").max_tokens(50), if_supported)]
    let greeting: Answer<Sampled>;
    let name = user_name.accepted().map(|user| user.name);
    let greeting = greeting.accepted().map(|said| said.text());
    let parts = [greeting, name];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Needs a client whose model can be asked.
#[tool(read_only)]
async fn test_missing_capability() -> String {
    #[ask(sample = capital())]
    let answer: Sampled;
    answer.text()
}

/// Reports progress on a stream, and then asks: the question is part of the result.
#[tool(read_only)]
async fn test_streaming_elicitation(ctx: &Ctx) -> String {
    ctx.call().progress(1.0, 2.0).await;
    #[ask(message = "What is your name?")]
    let user_name: Named;
    format!("Hello, {}!", user_name.name)
}

fn listed(roots: &Roots) -> String {
    let uris = roots.iter().map(|root| root.uri().to_string());
    uris.collect::<Vec<_>>().join(", ")
}
