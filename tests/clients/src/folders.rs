//! The client's roots.

use mrtr::Roots;
use mrtr::prelude::*;

/// Says which folders the client works in.
#[tool(read_only)]
pub(crate) async fn folders() -> String {
    #[ask(roots)]
    let folders: Roots;
    let paths: Vec<String> = folders
        .iter()
        .map(|root| root.path().display().to_string())
        .collect();
    format!("Folders: {}", paths.join(" and "))
}
