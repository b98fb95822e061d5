//! A tool as text, for a snapshot: whatever clients and users can notice of a change.

use std::fmt::Write;

use serde_json::value::RawValue;

use crate::handler::AskDef;
use crate::server::{Endpoint, Registered};
use crate::tool::Listing;

use super::tree::Tree;

#[track_caller]
pub(super) fn describe(endpoint: &Endpoint, name: &str) -> String {
    let Some(registered) = endpoint.0.tool(name) else {
        panic!(
            "the server has no tool `{name}`; it has {}",
            names(endpoint)
        )
    };
    let listing = listing(endpoint, name);
    let mut text = format!("tool {name}");
    if let Some(title) = listing.title {
        text += &format!(": {title}");
    }
    text.push('\n');
    for line in listing.description.unwrap_or_default().lines() {
        text += &format!("  {line}\n");
    }
    hints(&mut text, listing, registered);
    section(&mut text, "arguments", &pretty(listing.input_schema.get()));
    if let Some(output) = &listing.output_schema {
        section(&mut text, "result", &pretty(output.get()));
    }
    section(&mut text, "asks", &asks(&registered.handler.asks));
    section(&mut text, "gate", &gate(registered));
    text
}

fn listing<'a>(endpoint: &'a Endpoint, name: &str) -> &'a Listing {
    let mut listings = endpoint.0.listings.iter();
    listings
        .find(|listing| listing.name == name)
        .expect("invariant: each tool has a listing")
}

fn names(endpoint: &Endpoint) -> String {
    let mut names: Vec<_> = endpoint
        .0
        .tools
        .keys()
        .map(|name| format!("`{name}`"))
        .collect();
    names.sort();
    names.join(", ")
}

/// Annotations, `_meta`, and whether there are effects.
fn hints(text: &mut String, listing: &Listing, registered: &Registered) {
    let annotations = serde_json::to_string(&listing.annotations);
    let annotations = annotations.expect("invariant: our own wire types serialise");
    if annotations != "{}" {
        text.push_str(&format!("annotations: {annotations}\n"));
    }
    if let Some(meta) = listing.meta.as_deref().map(RawValue::get) {
        text.push_str(&format!("meta: {meta}\n"));
    }
    let commits = if registered.handler.commits {
        "has a commit"
    } else {
        "has no commit"
    };
    text.push_str(&format!("{commits}\n"));
}

/// What the source declares; asks whose keys are made at run time are not among it.
fn asks(asks: &[AskDef]) -> String {
    if asks.is_empty() {
        return "none that the source declares".to_owned();
    }
    asks.iter().map(ask).collect::<Vec<_>>().join("\n")
}

fn ask(ask: &AskDef) -> String {
    let when = if ask.required {
        "on every path"
    } else {
        "on some paths"
    };
    let what = match (ask.check)("") {
        Ok(Some(form)) => pretty(form.requested_schema()),
        Ok(None) => format!("{:?}", ask.kind),
        Err(error) => error.to_string(),
    };
    format!("{}: {when}\n{what}", ask.key)
}

/// What a client must be able to show before anything runs.
fn gate(registered: &Registered) -> String {
    let mut kinds: Vec<String> = Vec::new();
    for ask in registered.handler.asks.iter().filter(|ask| ask.required) {
        let kind = format!("{:?}", ask.kind).to_lowercase();
        match kinds.iter_mut().find(|line| line.starts_with(&kind)) {
            Some(line) => {
                let _ = write!(line, ", {}", ask.key);
            }
            None => kinds.push(format!("{kind}: for {}", ask.key)),
        }
    }
    if kinds.is_empty() {
        return "open to every client".to_owned();
    }
    kinds.join("\n")
}

fn section(text: &mut String, title: &str, body: &str) {
    text.push_str(&format!("\n{title}\n"));
    for line in body.lines() {
        text.push_str(&format!("  {line}\n"));
    }
}

fn pretty(json: &str) -> String {
    Tree::read(json).pretty()
}
