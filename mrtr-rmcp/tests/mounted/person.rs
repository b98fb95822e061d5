//! A client that answers what it is asked from a list, on every revision.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
    ElicitResult, ElicitationAction, ErrorData, Implementation, ListRootsResult,
    ProgressNotificationParam,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, RoleClient};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What the person says, and what they were shown.
#[derive(Clone, Default)]
pub(crate) struct Person {
    answers: Arc<Mutex<VecDeque<ElicitResult>>>,
    shown: Arc<Mutex<Vec<String>>>,
    link_ids: Arc<Mutex<Vec<String>>>,
    progress: Arc<Mutex<Vec<f64>>>,
    mute: bool,
    asleep: bool,
}

/// Says yes, with this content.
pub(crate) fn accept(content: Value) -> ElicitResult {
    ElicitResult::new(ElicitationAction::Accept).with_content(content)
}

/// Says no.
pub(crate) fn decline() -> ElicitResult {
    ElicitResult::new(ElicitationAction::Decline)
}

impl Person {
    /// Somebody with these answers, in this order.
    pub(crate) fn with(answers: impl IntoIterator<Item = ElicitResult>) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.into_iter().collect())),
            ..Self::default()
        }
    }

    /// Somebody who never answers.
    pub(crate) fn asleep() -> Self {
        Self {
            asleep: true,
            ..Self::default()
        }
    }

    /// Somebody who cannot be asked.
    pub(crate) fn mute() -> Self {
        Self {
            mute: true,
            ..Self::default()
        }
    }

    fn show(&self, text: impl Into<String>) {
        self.shown.lock().expect("a test failed").push(text.into());
    }

    /// The messages of the questions so far.
    pub(crate) fn shown(&self) -> Vec<String> {
        self.shown.lock().expect("a test failed").clone()
    }

    /// The ids of the links so far.
    pub(crate) fn link_ids(&self) -> Vec<String> {
        self.link_ids.lock().expect("a test failed").clone()
    }

    /// The progress so far.
    pub(crate) fn progress(&self) -> Vec<f64> {
        self.progress.lock().expect("a test failed").clone()
    }
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let capabilities = match self.mute {
            true => json!({}),
            false => json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}),
        };
        ClientConfig::new(read(capabilities), Implementation::new("person", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if self.asleep {
            std::future::pending::<()>().await;
        }
        match request {
            ElicitRequestParams::FormElicitationParams { message, .. } => self.show(message),
            ElicitRequestParams::UrlElicitationParams {
                message,
                url,
                elicitation_id,
                ..
            } => {
                self.show(format!("{message} {url}"));
                self.link_ids
                    .lock()
                    .expect("a test failed")
                    .push(elicitation_id);
                return Ok(ElicitResult::new(ElicitationAction::Accept));
            }
            _ => return Err(ErrorData::invalid_params("unknown", None)),
        }
        let answer = self.answers.lock().expect("a test failed").pop_front();
        answer.ok_or_else(|| ErrorData::internal_error("asked more than expected", None))
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let params = json!(params);
        let asked = &params["messages"][0]["content"];
        let said = |text: &Value| text.as_str().unwrap_or_default().to_owned();
        let asked = said(asked.get("text").unwrap_or(&asked[0]["text"]));
        self.show(format!("{}: {asked}", said(&params["systemPrompt"])));
        Ok(read(json!({
            "model": "m", "role": "assistant", "content": {"type": "text", "text": "short"}
        })))
    }

    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        self.show("roots");
        Ok(read(json!({"roots": [{"uri": "file:///home/me"}]})))
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.progress
            .lock()
            .expect("a test failed")
            .push(params.progress);
    }
}

fn read<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("the SDK knows its own types")
}
