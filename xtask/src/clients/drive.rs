//! Starts one client for one case and reads what it reports.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::cases::Case;
use super::server::{Place, server_binary};
use super::transcript::{Exchange, Transcript};
use crate::Failure;
use crate::process::target;

/// An installed client: the interpreter and the driver that it runs.
pub(crate) struct Client {
    pub(crate) name: &'static str,
    pub(crate) program: PathBuf,
    pub(crate) driver: PathBuf,
}

/// What happened in one case.
pub(crate) struct Run {
    pub(crate) asked: Vec<Asked>,
    pub(crate) result: Value,
    pub(crate) transcript: Transcript,
}

/// One question that reached the client's own handler.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    pub(crate) key: String,
    pub(crate) message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Line {
    Asked(Asked),
    Exchange(Exchange),
    Result(Value),
    Failure(String),
}

/// Plays a case to its end.
///
/// # Errors
/// When the client fails, or reports something that this program does not know.
pub(crate) fn drive(client: &Client, place: &Place<'_>, case: &Case) -> Result<Run, Failure> {
    let log = target().join("clients/stdio.log");
    let plan = plan(place, case, &log)?;
    let output = Command::new(&client.program)
        .arg(&client.driver)
        .arg(plan.to_string())
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .output()?;
    let printed = String::from_utf8(output.stdout)?;
    let mut run = Run {
        asked: Vec::new(),
        result: Value::Null,
        transcript: Transcript::default(),
    };
    for line in printed.lines() {
        match serde_json::from_str(line).map_err(|error| format!("{error} in {line}"))? {
            Line::Asked(asked) => run.asked.push(asked),
            Line::Exchange(exchange) => run.transcript.add_exchange(&exchange),
            Line::Result(result) => run.result = result,
            Line::Failure(why) => {
                return Err(format!("{why}\n{}", String::from_utf8_lossy(&output.stderr)).into());
            }
        }
    }
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    if matches!(place, Place::Stdio) {
        run.transcript
            .add_stdio_log(&std::fs::read_to_string(&log)?);
    }
    Ok(run)
}

/// The case in the form that both drivers read.
fn plan(place: &Place<'_>, case: &Case, log: &std::path::Path) -> Result<Value, Failure> {
    let mut answers = Map::new();
    for (key, reply) in case.answers {
        let queue = answers.entry(*key).or_insert_with(|| json!([]));
        queue
            .as_array_mut()
            .expect("a queue is an array")
            .push(reply.to_json());
    }
    let mut plan = json!({ "tool": case.tool, "arguments": case.arguments(), "answers": answers });
    match place {
        Place::Http(url) => plan["http"] = json!(url),
        Place::Stdio => {
            let tee = std::env::current_exe()?;
            plan["stdio"] = json!([tee, "tee", log, server_binary(), "serve"]);
        }
    }
    Ok(plan)
}
