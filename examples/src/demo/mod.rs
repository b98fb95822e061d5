//! A terminal client: it lists a server's tools, calls one and has its questions answered.

mod field;
mod person;
mod question;
mod script;
mod session;
mod terminal;
mod text;

use std::error::Error;
use std::io::{IsTerminal, stdin};

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::json;

use person::Person;
use session::Session;
use text::visible;

/// Starts the server as a child process, calls `book` and prints all that happens.
///
/// Questions go to whoever sits at the terminal; where there is none, to a script.
///
/// # Errors
/// When the server cannot be started, does not speak the revision, or breaks off.
pub async fn run() -> Result<(), Box<dyn Error>> {
    let session = Session::start().await?;
    println!("{} offers these tools:", session.server());
    for tool in session.tools().await? {
        let words = tool.description.as_deref().unwrap_or("(no description)");
        println!("  {:<10} {}", visible(&tool.name), visible(words));
    }
    let arguments = json!({ "flight": "LH123" });
    println!("\ncalling `book` with {arguments}");
    let person: Box<dyn Person> = if stdin().is_terminal() {
        Box::new(terminal::Terminal)
    } else {
        println!("(no terminal: a script answers)");
        Box::new(script::Script)
    };
    let (result, rounds) = session.call("book", arguments, person).await?;
    print_result(&result, rounds);
    session.end().await
}

fn print_result(result: &CallToolResult, rounds: usize) {
    let plural = if rounds == 1 { "" } else { "s" };
    let outcome = if result.is_error == Some(true) {
        "ended without a booking"
    } else {
        "finished"
    };
    println!("\n`book` {outcome} after {rounds} round{plural}:");
    for block in &result.content {
        if let ContentBlock::Text(block) = block {
            println!("  {}", visible(&block.text));
        }
    }
}
