//! Only `ctx.ask(..).await`: questions as ordinary calls, without attributes on statements.
//!
//! It is the same thing as `#[ask]`, for where a call reads better: in conditions, in helpers that
//! are not marked, in `join!`.

use mrtr::prelude::*;
use mrtr::{ServeError, Server};

/// Where a parcel goes.
#[derive(Deserialize, JsonSchema, Form)]
struct Address {
    /// Street and number
    street: String,
    /// Town
    town: String,
}

/// Sends a parcel.
#[tool]
async fn send_parcel(
    /// What is in it
    content: String,
    ctx: &Ctx,
) -> String {
    let to: Address = ctx.ask("to", "Where does the parcel go?").await;
    let gift: Confirm = ctx.ask("gift", format!("Is the {content} a gift?")).await;
    let card = if gift.yes() {
        Some(card_text(ctx).await)
    } else {
        None
    };
    match card {
        Some(text) => format!(
            "{content} to {}, {}, with a card: {text}",
            to.street, to.town
        ),
        None => format!("{content} to {}, {}", to.street, to.town),
    }
}

/// A helper that asks needs nothing but the context.
async fn card_text(ctx: &Ctx) -> String {
    ctx.ask::<String>("card", "What does the card say?").await
}

/// The server.
pub fn server() -> Server {
    Server::new("plain-ask", "1.0.0").tool(send_parcel)
}

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    server().run().await
}
