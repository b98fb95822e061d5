//! The official client on both eras: prompts and resources that ask, and changes that are told.

use std::time::Duration;

use mrtr::Server;
use rmcp::ClientHandler;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationCapability, ErrorData, GetPromptRequestParams, Implementation, ProtocolVersion,
    ReadResourceRequestParams, ResourceUpdatedNotificationParam, ServerNotification,
    SubscribeRequestParams, SubscriptionFilter,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, NotificationContext, RequestContext, RoleClient,
    RunningService,
};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::examples::{notify_changes, prompt_that_asks, resource_that_asks};
use super::stdio::accepted;

/// Says yes to what is confirmed and wants reviews to look for speed; notes what it is told of.
struct Reader(mpsc::UnboundedSender<String>);

impl ClientHandler for Reader {
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            return Err(ErrorData::invalid_params("no page was offered", None));
        };
        let answer = if message.starts_with("What should a review") {
            json!({ "matters": "speed" })
        } else {
            json!({ "ok": true })
        };
        Ok(accepted(answer))
    }

    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.0.send(params.uri).expect("the test still looks");
    }

    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::new().with_form(Default::default()));
        ClientConfig::new(capabilities, Implementation::new("tests", "0"))
    }
}

fn modes() -> [ClientLifecycleMode; 2] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [
        ClientLifecycleMode::Discover { preferred_versions },
        ClientLifecycleMode::Initialize,
    ]
}

type Told = mpsc::UnboundedReceiver<String>;

/// Connects the official client with a server at the other end of a pipe.
async fn connect(
    server: Server,
    mode: ClientLifecycleMode,
) -> (RunningService<RoleClient, Reader>, Told) {
    let endpoint = server.build_lines().expect("the server builds");
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (reader, writer) = tokio::io::split(theirs);
    tokio::spawn(async move { endpoint.serve_lines(reader, writer).await });
    let (sender, told) = mpsc::unbounded_channel();
    let client = Reader(sender).serve_with_lifecycle(ours, mode).await;
    (client.expect("the server speaks the revision"), told)
}

fn value(result: impl serde::Serialize) -> Value {
    serde_json::to_value(result).expect("a result is JSON")
}

#[tokio::test]
async fn a_prompt_is_completed_asked_for_and_got() {
    for mode in modes() {
        let (client, _told) = connect(prompt_that_asks::server(), mode).await;
        let prompts = client.list_all_prompts().await.expect("a list");
        assert_eq!(prompts[0].name, "review");
        let completed = client.complete_prompt_simple("review", "language", "ru");
        let completed = completed.await.expect("completions");
        assert_eq!(completed, ["Rust"]);
        let Value::Object(arguments) = json!({ "language": "Rust", "most": "2" }) else {
            unreachable!("it is an object")
        };
        let params = GetPromptRequestParams::new("review").with_arguments(arguments);
        let got = value(client.get_prompt(params).await.expect("messages"));
        assert_eq!(
            got["messages"][1]["content"]["text"],
            "Review my code. Look for speed; make at most 2 remarks."
        );
    }
}

#[tokio::test]
async fn a_resource_is_listed_asked_for_and_read() {
    for mode in modes() {
        let (client, _told) = connect(resource_that_asks::server(), mode).await;
        let templates = client.list_all_resource_templates().await.expect("a list");
        assert_eq!(templates.len(), 2);
        let diary = ReadResourceRequestParams::new("notes:///diary/3");
        let read = value(client.read_resource(diary).await.expect("contents"));
        assert_eq!(read["contents"][0]["text"], "Day 3: it rained.");
        let nothing = ReadResourceRequestParams::new("notes:///note/nothing");
        assert!(client.read_resource(nothing).await.is_err());
    }
}

async fn write(client: &RunningService<RoleClient, Reader>) {
    let Value::Object(arguments) = json!({ "text": "hi" }) else {
        unreachable!("it is an object")
    };
    let params = CallToolRequestParams::new("write").with_arguments(arguments);
    let written = value(client.call_tool(params).await.expect("a result"));
    assert_eq!(written["content"][0]["text"], "written");
}

#[tokio::test]
async fn a_listener_is_told_of_the_resource_that_it_watches() {
    let [today, _] = modes();
    let (client, _told) = connect(notify_changes::server(), today).await;
    let mut filter = SubscriptionFilter::default();
    filter.resource_subscriptions = Some(vec!["board:///text".into()]);
    let mut listening = client.listen(filter).await.expect("acknowledged");
    write(&client).await;
    let told = tokio::time::timeout(Duration::from_secs(20), listening.next());
    let told = told.await.expect("in time").expect("no error");
    let Some(ServerNotification::ResourceUpdatedNotification(updated)) = told else {
        panic!("another notification: {told:?}");
    };
    assert_eq!(updated.params.uri, "board:///text");
}

#[tokio::test]
#[expect(deprecated, reason = "sessions subscribe in the way of their revision")]
async fn a_session_is_told_of_the_resource_that_it_subscribed_to() {
    let [_, session] = modes();
    let (client, mut told) = connect(notify_changes::server(), session).await;
    let board = SubscribeRequestParams::new("board:///text");
    client.subscribe(board).await.expect("it can be watched");
    write(&client).await;
    let uri = tokio::time::timeout(Duration::from_secs(20), told.recv());
    let uri = uri.await.expect("in time");
    assert_eq!(uri.as_deref(), Some("board:///text"));
}
