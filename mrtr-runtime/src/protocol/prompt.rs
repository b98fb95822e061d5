//! `prompts/get`: finding a prompt and holding the arguments to what it publishes.
//!
//! Source: MCP 2026-07-28, server/prompts, "Getting a prompt".

use std::sync::Arc;

use mrtr_core::json::Value;
use mrtr_core::text::log_name;

use crate::handler::text_members;
use crate::server::{Inner, PromptEntry};

use super::call::{Subject, arguments, named, start};
use super::{Accepted, Checked, Refusal};

pub(super) fn serve(server: &Arc<Inner>, request: Checked<'_>) -> Result<Accepted, Refusal> {
    let name = named(request.params, "prompt")?;
    let arguments = arguments(request.params)?;
    request.params.check(server.shared.limits.depth)?;
    let prompt = server
        .prompts
        .get(&*name)
        .ok_or_else(|| Refusal::invalid_params(format!("unknown prompt: {}", log_name(&name))))?;
    check(prompt, arguments)?;
    let subject = Subject {
        arguments: arguments.map(|arguments| arguments.raw().into()),
        uri: None,
    };
    start(server, &prompt.handler, request, subject)
}

/// All that are required are there, no other is, and each is text.
fn check(prompt: &PromptEntry, arguments: Option<Value<'_>>) -> Result<(), Refusal> {
    let given = text_members(arguments.map_or("{}", Value::raw)).ok_or_else(|| {
        Refusal::invalid_params("every argument of a prompt must be a string, and given once")
    })?;
    let missing = prompt
        .arguments
        .iter()
        .find(|argument| argument.required && !given.contains_key(argument.name));
    if let Some(argument) = missing {
        let name = argument.name;
        return Err(Refusal::invalid_params(format!(
            "the argument `{name}` is missing"
        )));
    }
    let known = |name: &str| prompt.arguments.iter().any(|known| known.name == name);
    match given.keys().find(|name| !known(name)) {
        None => Ok(()),
        Some(name) => Err(Refusal::invalid_params(format!(
            "the prompt has no argument `{}`",
            log_name(name)
        ))),
    }
}
