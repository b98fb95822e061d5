//! Links: one that is done when the user agrees, and one that is done when something has happened.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mrtr::prelude::*;

/// A post office. It stands for a third party that does its work while nobody looks.
#[derive(Clone, Default)]
pub(crate) struct Post(Arc<AtomicBool>);

impl Post {
    /// Whether the letter has come: not at the first look, but at the next.
    #[read_only]
    async fn has_letter(&self) -> bool {
        self.0.fetch_xor(true, Ordering::SeqCst)
    }
}

/// Signs a letter on a page of the post office.
#[tool]
pub(crate) async fn sign() -> &'static str {
    #[ask(message = "Please sign the letter.", url = "https://post.example/sign")]
    let signed: Option<Consented>;
    match signed {
        Some(_) => "The letter is on its way.",
        None => "The letter stays here.",
    }
}

/// Waits for a letter.
#[tool]
pub(crate) async fn collect(ctx: &Ctx, State(post): State<Post>) -> &'static str {
    let Consented { .. } = ctx
        .url(
            "collected",
            "Please collect the letter.",
            "https://post.example/collect",
        )
        .until(async || post.has_letter().await)
        // One look for each round.
        .wait(Duration::ZERO)
        .await;
    "The letter is here."
}
