//! The server that the official conformance suite plays against: `cargo xtask conformance`.
//!
//! Names and texts are the suite's; the rest is written as any server would be. The only thing here
//! that is for the suite is `accept_unsolicited` in `asks.rs`.

mod asks;
mod content;
mod notices;
mod older_asks;
mod prompts;
mod resources;

use mrtr::{Changes, ServeError, Server};

/// The server, over the address that `--http` names.
#[tokio::main]
async fn main() -> Result<(), ServeError> {
    let server = Server::new("conformance", "1.0.0");
    let changes: Changes = server.changes();
    server
        .state(changes)
        .tools(content::tools())
        .tools(notices::tools())
        .tools(asks::tools())
        .tools(older_asks::tools())
        .prompts(prompts::prompts())
        .resources(resources::resources())
        .run()
        .await
}
