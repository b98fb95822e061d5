//! Questions to the client's model: one that the tool cannot do without, and one that it can.

use mrtr::prelude::*;
use mrtr::{Sample, Sampled};

/// Finds a name for something.
#[tool(read_only)]
pub(crate) async fn name_it(thing: String) -> String {
    #[ask(sample = Sample::new(format!("A name for a {thing}?")).system("One word.").max_tokens(20))]
    let name: Sampled;
    format!("{} ({})", name.text(), name.model())
}

/// Sums up a text, with the client's model or without it.
#[tool(read_only)]
pub(crate) async fn sum_up(text: String) -> String {
    #[ask(sample = Sample::new(format!("Sum up: {text}")), if_supported)]
    let summary: Answer<Sampled>;
    match summary {
        Answer::Accepted(said) => said.text(),
        Answer::Unsupported => "no model".to_owned(),
        _ => "no summary".to_owned(),
    }
}
