//! The smallest server that asks: what a first build costs.

use mrtr::prelude::*;

/// Greets somebody.
#[tool]
async fn greet(greeting: String) -> String {
    #[ask(message = "Whom shall I greet?")]
    let name: String;
    format!("{greeting}, {name}")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Server::new("hello", "1.0.0").tool(greet).run().await?;
    Ok(())
}
