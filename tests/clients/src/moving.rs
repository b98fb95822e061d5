//! Two batches in one flow, each of several kinds of question.

use mrtr::prelude::*;
use mrtr::{Roots, Sample, Sampled};

/// Moves a household.
#[tool]
pub(crate) async fn moving() -> Result<String, ToolError> {
    #[ask(message = "Where do you move to?")]
    let town: String;
    #[ask(message = "How many boxes are there?")]
    let boxes: u16;
    #[ask(roots)]
    let papers: Roots;

    #[ask(
        message = "Sign the contract for {boxes} boxes.",
        url = "https://post.example/contract"
    )]
    let contract: Consented;
    #[ask(sample = Sample::new(format!("A farewell before moving to {town}?")))]
    let farewell: Sampled;
    #[ask(message = "Move to {town} tomorrow?")]
    let ok: Confirm;

    let Consented { .. } = contract;
    if !ok.yes() {
        return Err(ToolError::user("nobody moves"));
    }
    let papers = papers.iter().count();
    Ok(format!(
        "{boxes} boxes and {papers} folders go to {town}. {}",
        farewell.text()
    ))
}
