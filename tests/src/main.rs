//! The demo's program, for tests that start it.

use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    mrtr_examples::program(&args).await
}
