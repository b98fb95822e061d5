//! `validate`: rules that no schema can say. A refused answer is asked for again with the reason.

use mrtr::prelude::*;
use mrtr::{ServeError, Server};

/// Some nights somewhere.
#[derive(Deserialize, JsonSchema, Form)]
pub struct Stay {
    /// First night
    #[schemars(range(min = 1, max = 365))]
    from: u16,
    /// Last night
    #[schemars(range(min = 1, max = 365))]
    to: u16,
}

/// Names the fields and the rule, never the values: the text goes out in a question.
fn in_order(stay: &Stay) -> Result<(), &'static str> {
    if stay.from <= stay.to {
        Ok(())
    } else {
        Err("`to` comes before `from`")
    }
}

/// A rule that has to look something up may be async.
async fn is_free(stay: &Stay) -> Result<(), String> {
    tokio::task::yield_now().await;
    if (100..110).contains(&stay.from) {
        Err("the house is full on that night".to_owned())
    } else {
        Ok(())
    }
}

/// Finds out what a stay costs.
#[tool(read_only)]
async fn price_of_stay(
    #[ask(message = "When are you coming?", validate = in_order)] stay: Stay,
) -> String {
    format!("{} EUR", (stay.to - stay.from + 1) * 80)
}

/// Looks whether the house is free.
#[tool(read_only)]
async fn check_stay(
    #[ask(message = "When are you coming?", validate = is_free)] stay: Stay,
) -> String {
    format!("free from night {}", stay.from)
}

/// The server.
pub fn server() -> Server {
    Server::new("validate", "1.0.0").tools([price_of_stay(), check_stay()])
}

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    server().run().await
}
