//! The example's server on every transport and revision, with a client connected to it.

use std::sync::Arc;

use mrtr::prelude::{Parts, Principal, ToolError, tool};
use mrtr::{AuthError, Call, Key, KeyRing};
use mrtr_rmcp::{Mount, Mounted};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, InputResponses, ProtocolVersion,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RoleClient, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{
    StreamableHttpClientTransport, StreamableHttpServerConfig, StreamableHttpService,
};
use rmcp::{ServiceError, ServiceExt};
use serde_json::{Value, json};

use crate::person::Person;
use crate::travel_desk::{self, Bookings, Desk};

pub(crate) type Client = RunningService<RoleClient, Person>;
pub(crate) type Service = StreamableHttpService<Desk, LocalSessionManager>;

/// How a client reaches the server.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    Pipe(Era),
    Http(Era),
}

/// What it speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    Modern,
    Older,
}

/// Every transport with every era.
pub(crate) const WAYS: [Way; 4] = [
    Way::Pipe(Era::Modern),
    Way::Pipe(Era::Older),
    Way::Http(Era::Modern),
    Way::Http(Era::Older),
];

impl Way {
    pub(crate) fn era(self) -> Era {
        match self {
            Self::Pipe(era) | Self::Http(era) => era,
        }
    }

    fn lifecycle(self) -> ClientLifecycleMode {
        match self.era() {
            Era::Older => ClientLifecycleMode::Initialize,
            Era::Modern => ClientLifecycleMode::Discover {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            },
        }
    }
}

/// Says who calls.
#[tool(read_only)]
async fn who_calls(caller: Option<Principal>) -> String {
    caller.map_or("nobody".into(), |caller| caller.subject().to_owned())
}

/// Reports that it is half done.
#[tool(read_only)]
async fn half_done(call: Call) -> String {
    call.progress(1.0, 2.0).await;
    "done".to_owned()
}

/// Books without asking.
#[tool]
async fn book_at_once(mrtr::State(bookings): mrtr::State<Bookings>) -> Result<String, ToolError> {
    #[mrtr::allow(
        commit_without_ask,
        reason = "what a repeated request does is what is tested"
    )]
    #[commit]
    let count = bookings.book("LH1");
    Ok(format!("{count} booked"))
}

/// One server with its bookings.
pub(crate) struct World {
    pub(crate) bookings: Bookings,
    pub(crate) mounted: Mounted,
}

/// A key that the instances of a test share.
pub(crate) fn keys() -> KeyRing {
    ring(b"each instance of it has this key")
}

/// A ring of one key.
pub(crate) fn ring(key: &[u8; 32]) -> KeyRing {
    let key = Key::from_bytes(key).expect("a strong key");
    KeyRing::new([key]).expect("one key is enough")
}

/// The caller is who the header `x-user` names.
async fn by_header(parts: &Parts) -> Result<Option<Principal>, AuthError> {
    match parts.headers.get("x-user") {
        None => Ok(None),
        Some(user) if user == "mallory" => Err(AuthError::unauthorized()),
        Some(user) => Ok(Some(Principal::new(
            "https://issuer.example",
            user.to_str()?,
        )?)),
    }
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(|mount| mount)
    }

    pub(crate) fn with(set: impl FnOnce(Mount) -> Mount) -> Self {
        let bookings = Bookings::default();
        let mount = travel_desk::mount(&bookings)
            .keys(keys())
            .principal(by_header)
            .stdio_principal(Principal::new("https://issuer.example", "alice").expect("a user"))
            .tool(who_calls)
            .tool(half_done)
            .tool(book_at_once);
        let mounted = set(mount).build().expect("the mount builds");
        Self { bookings, mounted }
    }

    fn desk(&self) -> Desk {
        Desk::new(&self.mounted, self.bookings.clone())
    }

    /// A client of this server, who is alice.
    pub(crate) async fn connect(&self, way: Way, person: &Person) -> Client {
        match way {
            Way::Pipe(_) => self.connect_pipe(way, person).await,
            Way::Http(_) => self.connect_http(way, person, Some("alice")).await,
        }
    }

    async fn connect_pipe(&self, way: Way, person: &Person) -> Client {
        let (ours, theirs) = tokio::io::duplex(4096);
        let desk = self.desk();
        tokio::spawn(async move {
            let running = desk.serve(theirs).await.expect("the server starts");
            running.waiting().await
        });
        let connected = person.clone().serve_with_lifecycle(ours, way.lifecycle());
        connected.await.expect("the client connects")
    }

    /// A client of this server over HTTP, who says to be `user`.
    pub(crate) async fn connect_http(
        &self,
        way: Way,
        person: &Person,
        user: Option<&str>,
    ) -> Client {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let router = axum::Router::new().fallback_service(self.service());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let mut config =
            StreamableHttpClientTransportConfig::with_uri(format!("http://{address}/mcp"));
        if let Some(user) = user {
            let header = (
                "x-user".parse().expect("a name"),
                user.parse().expect("a value"),
            );
            config = config.custom_headers([header].into());
        }
        let transport = StreamableHttpClientTransport::from_config(config);
        let connected = person
            .clone()
            .serve_with_lifecycle(transport, way.lifecycle());
        connected.await.expect("the client connects")
    }

    /// The service of rmcp for this server.
    pub(crate) fn service(&self) -> Service {
        self.service_with(StreamableHttpServerConfig::default())
    }

    pub(crate) fn service_with(&self, config: StreamableHttpServerConfig) -> Service {
        let (mounted, bookings) = (self.mounted.clone(), self.bookings.clone());
        StreamableHttpService::new(
            move || Ok(Desk::new(&mounted, bookings.clone())),
            Arc::new(LocalSessionManager::default()),
            config,
        )
    }
}

/// The params of a call.
pub(crate) fn params(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    let mut params = CallToolRequestParams::new(tool);
    params.arguments = arguments.as_object().cloned();
    params
}

/// Calls a tool and has rmcp's client answer what it asks; the result.
pub(crate) async fn call(client: &Client, tool: &'static str, arguments: Value) -> CallToolResult {
    let result = client.call_tool(params(tool, arguments)).await;
    result.unwrap_or_else(|error| panic!("{tool}: {error}"))
}

/// The text of a result, and whether it is an error.
pub(crate) fn text(result: &CallToolResult) -> (&str, bool) {
    let text = result.content.first().and_then(|block| block.as_text());
    let text = text.map_or("", |text| text.text.as_str());
    (text, result.is_error.unwrap_or_default())
}

/// One round by hand: the state of the question that is asked.
pub(crate) async fn ask(client: &Client, params: &CallToolRequestParams) -> String {
    match client.call_tool_once(params.clone()).await {
        Ok(CallToolResponse::InputRequired(asked)) => asked.request_state.expect("a state"),
        other => panic!("no question: {other:?}"),
    }
}

/// The same call with an answer to the question `key`.
pub(crate) fn answered(
    params: &CallToolRequestParams,
    state: &str,
    key: &str,
    content: Value,
) -> CallToolRequestParams {
    let answer = json!({ "action": "accept", "content": content });
    let mut params = params.clone();
    params.input_responses = Some(InputResponses::from([(key.to_owned(), answer)]));
    params.request_state = Some(state.to_owned());
    params
}

/// One round by hand that ends the call: its text, or the code and message of its error.
pub(crate) async fn end(
    client: &Client,
    params: &CallToolRequestParams,
) -> Result<String, (i32, String)> {
    match client.call_tool_once(params.clone()).await {
        Ok(CallToolResponse::Complete(result)) => Ok(text(&result).0.to_owned()),
        Err(ServiceError::McpError(error)) => Err((error.code.0, error.message.into_owned())),
        other => panic!("no end: {other:?}"),
    }
}
