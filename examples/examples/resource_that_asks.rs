//! Resources: one at a URI, many behind a template, and one that asks before it is read.
//!
//! A variable of a template never leads a path out of its place: `..`, a hidden `/` and the like
//! are no resource, whatever the function does with its text.

use std::collections::BTreeMap;
use std::sync::Arc;

use mrtr::prelude::*;
use mrtr::{Completing, Completions, ServeError, Server};

/// Notes by their names.
#[derive(Clone)]
struct Notes(Arc<BTreeMap<String, String>>);

/// How many notes there are.
#[resource(uri = "notes:///count", mime_type = "text/plain", ttl = "5m")]
async fn count(State(notes): State<Notes>) -> String {
    notes.0.len().to_string()
}

async fn names(typed: Completing) -> Result<Completions, ToolError> {
    let notes: Notes = typed.state()?;
    Ok(typed.matching(notes.0.keys().cloned()))
}

/// A note.
#[resource(template = "notes:///note/{name}", mime_type = "text/markdown")]
async fn note(#[arg(complete = names)] name: String, State(notes): State<Notes>) -> Option<String> {
    notes.0.get(&name).cloned()
}

/// The notes of one day, once somebody has said that they may be read.
#[resource(template = "notes:///diary/{day}", mime_type = "text/plain")]
async fn diary(day: u8) -> Result<String, ToolError> {
    #[ask(message = "May the diary of day {day} be read?")]
    let ok: Confirm;
    if !ok.yes() {
        return Err(ToolError::user("the diary stays closed"));
    }
    Ok(format!("Day {day}: it rained."))
}

/// The server.
pub fn server() -> Server {
    let notes = [("milk", "Buy *milk*."), ("moon", "Look at the moon.")];
    let notes = notes.map(|(name, text)| (name.to_owned(), text.to_owned()));
    Server::new("notes", "1.0.0")
        .state(Notes(Arc::new(BTreeMap::from(notes))))
        .resource(count)
        .resource(note)
        .resource(diary)
}

#[tokio::main]
async fn main() -> Result<(), ServeError> {
    server().run().await
}
