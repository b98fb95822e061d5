//! The rules about tools in a conversation: each use is followed by its result.
//!
//! Source: MCP 2026-07-28, client/sampling, "Tool use": a message with tool results holds nothing
//! else, and follows the message whose tool uses it answers, one result for each.

use super::block::{SampleBlock, SampleMessage, SampleRole};

/// Says what breaks the rules.
pub(super) fn check(messages: &[SampleMessage]) -> Result<(), String> {
    let mut waiting: Vec<&str> = Vec::new();
    for message in messages {
        let results: Vec<&str> = message.content.iter().filter_map(result_of).collect();
        if !results.is_empty() && results.len() < message.content.len() {
            return Err("a message with tool results holds nothing else".into());
        }
        if !results.is_empty() && message.role == SampleRole::Assistant {
            return Err("tool results are the user's to give".into());
        }
        let (mut wanted, mut given) = (std::mem::take(&mut waiting), results);
        wanted.sort_unstable();
        given.sort_unstable();
        if wanted != given {
            return Err("the tool uses of a message and the results after it differ".into());
        }
        waiting = message.content.iter().filter_map(use_of).collect();
        if !waiting.is_empty() && message.role == SampleRole::User {
            return Err("tool uses are the assistant's".into());
        }
    }
    if waiting.is_empty() {
        Ok(())
    } else {
        Err("the last message uses tools whose results are missing".into())
    }
}

fn result_of(block: &SampleBlock) -> Option<&str> {
    match block {
        SampleBlock::ToolResult { tool_use_id, .. } => Some(tool_use_id),
        _ => None,
    }
}

fn use_of(block: &SampleBlock) -> Option<&str> {
    match block {
        SampleBlock::ToolUse(tool) => Some(&tool.id),
        _ => None,
    }
}
