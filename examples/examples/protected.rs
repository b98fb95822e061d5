//! `.protected_resource(..)`: a server behind OAuth.
//!
//! It publishes who issues its tokens and sends clients there; checking a token is yours. Run it
//! with `cargo run --example protected -- --http 127.0.0.1:8080` and call it with and without
//! `Authorization: Bearer ada-reads`.

use mrtr::prelude::*;
use mrtr::{AuthError, ServeError, Server};

/// Says who the caller is. A real one checks signature, issuer, audience and expiry of the token,
/// with a crate for JSON Web Tokens or at the issuer's introspection endpoint.
async fn caller(parts: &Parts) -> Result<Option<Principal>, AuthError> {
    let header = parts
        .headers
        .get("authorization")
        .and_then(|value| value.to_str().ok());
    let token = header
        .and_then(|value| value.strip_prefix("Bearer "))
        .ok_or_else(AuthError::unauthorized)?;
    match token.split_once('-') {
        Some((subject @ ("ada" | "bob"), "reads")) => {
            let principal = Principal::new("https://login.example.com", subject);
            Ok(Some(principal.map_err(|_| AuthError::unauthorized())?))
        }
        Some(("ada" | "bob", _)) => Err(AuthError::insufficient_scope(["diary:read"])),
        _ => Err(AuthError::unauthorized()),
    }
}

/// Reads out an entry of the caller's diary.
#[tool(read_only)]
async fn read_diary(who: Principal, #[ask(message = "Which day?")] day: String) -> String {
    format!("{} on {day}: nothing happened", who.subject())
}

/// The server.
pub fn server() -> Server {
    Server::new("protected", "1.0.0")
        .principal(caller)
        .require_principal()
        .protected_resource("http://127.0.0.1:8080/mcp", ["https://login.example.com"])
        .scopes(["diary:read"])
        .tool(read_diary)
}

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    server().run().await
}
