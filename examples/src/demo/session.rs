//! The connection: the official client over the pipes of a child process.

use std::error::Error;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig,
    ElicitationCapability, FormElicitationCapability, Implementation, InputRequests,
    InputResponses, ProtocolVersion, Tool,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use tokio::process::Command;

use super::person::{Person, Reply};
use super::question::Question;
use super::text::visible;

/// A server that keeps asking is left after this many rounds.
const MAX_ROUNDS: usize = 10;

/// A running server and the client that talks to it.
pub(crate) struct Session {
    client: RunningService<RoleClient, ClientConfig>,
}

impl Session {
    /// Starts this same program as the server and finds out what it speaks.
    pub(crate) async fn start() -> Result<Self, Box<dyn Error>> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("serve");
        let elicitation =
            ElicitationCapability::new().with_form(FormElicitationCapability::default());
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(elicitation);
        let name = Implementation::new("mrtr-demo", env!("CARGO_PKG_VERSION"));
        let versions = vec![ProtocolVersion::V_2026_07_28];
        let mode = ClientLifecycleMode::Discover {
            preferred_versions: versions,
        };
        let client = ClientConfig::new(capabilities, name)
            .serve_with_lifecycle(TokioChildProcess::new(command)?, mode)
            .await?;
        Ok(Self { client })
    }

    /// The server's own name and version.
    pub(crate) fn server(&self) -> String {
        let info = self
            .client
            .peer_info()
            .and_then(|info| info.server_info.clone());
        info.map_or("the server".to_owned(), |info| {
            visible(&format!("{} {}", info.name, info.version))
        })
    }

    pub(crate) async fn tools(&self) -> Result<Vec<Tool>, Box<dyn Error>> {
        Ok(self.client.list_all_tools().await?)
    }

    /// Calls a tool and has every question answered; returns the result and the number of rounds.
    pub(crate) async fn call(
        &self,
        tool: &'static str,
        arguments: Value,
        mut person: Box<dyn Person>,
    ) -> Result<(CallToolResult, usize), Box<dyn Error>> {
        let mut params = CallToolRequestParams::new(tool);
        params.arguments = arguments.as_object().cloned();
        for round in 1..=MAX_ROUNDS {
            match self.client.call_tool_once(params.clone()).await? {
                CallToolResponse::Complete(result) => return Ok((result, round)),
                CallToolResponse::InputRequired(asked) => {
                    let questions = asked.input_requests.unwrap_or_default();
                    params.input_responses = self.answer(&questions, &mut *person)?;
                    // The state belongs to the retry of this call, byte for byte, and nowhere else.
                    params.request_state = asked.request_state;
                }
                _ => {
                    return Err("the server answered with a kind of result nobody asked for".into());
                }
            }
        }
        Err(format!("the server asked {MAX_ROUNDS} times and would go on").into())
    }

    fn answer(
        &self,
        questions: &InputRequests,
        person: &mut dyn Person,
    ) -> Result<Option<InputResponses>, Box<dyn Error>> {
        let mut answers = InputResponses::new();
        for (key, request) in questions {
            let question = Question::read(key, request)?;
            let answer = match person.answer(&self.server(), &question)? {
                Reply::Accept(content) => json!({ "action": "accept", "content": content }),
                Reply::Decline => json!({ "action": "decline" }),
                Reply::Cancel => json!({ "action": "cancel" }),
            };
            answers.insert(key.clone(), answer);
        }
        Ok((!answers.is_empty()).then_some(answers))
    }

    /// Closes the server's input, which ends it.
    pub(crate) async fn end(self) -> Result<(), Box<dyn Error>> {
        self.client.cancel().await?;
        Ok(())
    }
}
