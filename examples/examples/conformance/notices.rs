//! Tools that tell the client something before or besides their result.

use std::time::Duration;

use mrtr::prelude::*;
use mrtr::{Changes, LogLevel, Tool};
use tokio::time::sleep;

/// How long the work takes that is reported on.
const STEP: Duration = Duration::from_millis(50);

/// The tools of this file.
pub(super) fn tools() -> [Tool; 5] {
    [
        test_tool_with_progress(),
        test_tool_with_logging(),
        test_logging_tool(),
        test_trigger_tool_change(),
        test_trigger_prompt_change(),
    ]
}

/// Reports progress.
#[tool(read_only)]
async fn test_tool_with_progress(call: Call) -> &'static str {
    call.progress(0.0, 100.0).await;
    sleep(STEP).await;
    call.progress(50.0, 100.0).await;
    sleep(STEP).await;
    call.progress(100.0, 100.0).await;
    "Tool with progress executed successfully"
}

/// Sends three log messages.
#[tool(read_only)]
async fn test_tool_with_logging(call: Call) -> &'static str {
    call.log(LogLevel::Info, "Tool execution started").await;
    sleep(STEP).await;
    call.log(LogLevel::Info, "Tool processing data").await;
    sleep(STEP).await;
    call.log(LogLevel::Info, "Tool execution completed").await;
    "Tool with logging executed successfully"
}

/// Sends a log message to clients that ask for one.
#[tool(read_only)]
async fn test_logging_tool(call: Call) -> &'static str {
    call.log(LogLevel::Info, "Something worth knowing").await;
    "Logged, if you wanted to know"
}

/// Tells clients that listen to read the list of tools again.
#[tool]
async fn test_trigger_tool_change(State(changes): State<Changes>) -> &'static str {
    changes.tools();
    "The list of tools has changed"
}

/// Tells clients that listen to read the list of prompts again.
#[tool]
async fn test_trigger_prompt_change(State(changes): State<Changes>) -> &'static str {
    changes.prompts();
    "The list of prompts has changed"
}
