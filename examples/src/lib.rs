//! The examples of mrtr, and a terminal client that plays against one of them.
//!
//! `travel_desk` is the server that the README shows a part of. `demo` is a client: it is built on
//! the official SDK's client and knows of the server only what the server sends. The files in
//! `examples/` beside this folder hold one idea each.

pub mod demo;
pub mod travel_desk;

use std::error::Error;

use mrtr::{Config, ConfigError, Server};

const USAGE: &str = "usage: mrtr-examples [serve [--http ADDRESS]]";

/// What the binary does with its arguments.
///
/// # Errors
/// When the arguments are none of the usage's, or the server or the client fails.
pub async fn program(args: &[String]) -> Result<(), Box<dyn Error>> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        [] => demo::run().await,
        ["serve"] => Ok(served()?.serve_stdio().await?),
        ["serve", "--http", address] => Ok(served()?.serve_http(address).await?),
        _ => Err(USAGE.into()),
    }
}

/// The travel desk with what the environment says: keys that several instances share, for one.
fn served() -> Result<Server, ConfigError> {
    Ok(travel_desk::server().config(Config::from_env("MRTR")?))
}
