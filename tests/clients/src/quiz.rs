//! As many questions one after another as clients put up with: nine, and the result in the tenth
//! round.

use mrtr::prelude::*;

/// Guesses what somebody thinks of.
#[tool(read_only)]
pub(crate) async fn quiz(ctx: &Ctx) -> String {
    let mut clues: Vec<String> = Vec::new();
    #[mrtr::allow(
        ask_per_iteration,
        reason = "each question depends on the answer before"
    )]
    for number in 1..=9 {
        let before = clues.last().map_or("nothing yet", String::as_str);
        let question = format!("Clue {number}, after {before}:");
        let clue: String = ctx.ask(format!("clue-{number}"), question).await;
        clues.push(clue);
    }
    format!("It is {}.", clues.concat())
}
