//! The tools of the benchmark, written by hand for rmcp: its model of multi round-trip requests,
//! its state codec, no sessions, JSON responses.

mod plan;
mod quiz;

use std::sync::Arc;
use std::time::Duration;

use bench_setup::{KEY, Setup};
use rmcp::ServerHandler;
use rmcp::handler::server::tool::schema_for_type;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ElicitRequest,
    ElicitRequestParams, ElicitationSchema, ErrorData, Implementation, InputRequest, InputRequests,
    InputRequiredResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    RequestStateCodec, SealOptions, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer, ServiceExt};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How long a state is good.
const TTL: Duration = Duration::from_secs(3600);

/// The server: everything that is worked out once.
#[derive(Clone)]
struct Bench {
    codec: RequestStateCodec,
    tools: Arc<[Tool]>,
    plan: Arc<ElicitationSchema>,
    quiz: Arc<ElicitationSchema>,
}

/// An answer to a form.
#[derive(Deserialize)]
struct Answer<C> {
    action: String,
    content: Option<C>,
}

/// The argument of the tools that are never called.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "these tools are only listed")]
struct Departures {
    /// How many departures
    most: u32,
    /// Only by this line
    line: Option<String>,
}

impl Bench {
    fn new(setup: &Setup) -> Self {
        let mut tools = vec![Tool::new(
            "plan",
            "Plans a trip.",
            schema_for_type::<plan::Arguments>(),
        )];
        if setup.tools > 1 {
            let schema = schema_for_type::<quiz::Arguments>();
            tools.push(Tool::new("quiz", "Asks one question a round.", schema));
        }
        let schema = schema_for_type::<Departures>();
        let others = setup.others();
        tools.extend(others.map(|(name, text)| Tool::new(name, text, Arc::clone(&schema))));
        Self {
            codec: RequestStateCodec::try_new(KEY).expect("the key is long enough"),
            tools: tools.into(),
            plan: Arc::new(plan::form()),
            quiz: Arc::new(quiz::form()),
        }
    }

    /// Ends the round in a question.
    fn ask<T: Serialize>(
        &self,
        question: (&str, String, &ElicitationSchema),
        state: &T,
        context: &[u8],
    ) -> Result<CallToolResponse, ErrorData> {
        let (key, message, schema) = question;
        let options = SealOptions::new().associated_data(context).ttl(TTL);
        let state = self
            .codec
            .seal_json_with(state, &options)
            .map_err(|_| internal())?;
        let form = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message,
            requested_schema: schema.clone(),
        };
        let mut requests = InputRequests::new();
        requests.insert(
            key.into(),
            InputRequest::Elicitation(ElicitRequest::new(form)),
        );
        Ok(InputRequiredResult::new(Some(requests), Some(state)).into())
    }

    /// The state of the request, if it brought one.
    fn state<T: DeserializeOwned>(
        &self,
        request: &CallToolRequestParams,
        context: &[u8],
    ) -> Result<Option<T>, ErrorData> {
        let state = request.request_state.as_deref();
        let opened = state.map(|state| self.codec.open_json_with(state, context));
        opened
            .transpose()
            .map_err(|_| ErrorData::invalid_params("the state is not valid", None))
    }
}

/// What a state is bound to: the tool and its arguments.
fn context(request: &CallToolRequestParams) -> Vec<u8> {
    let bound = (&request.name, &request.arguments);
    serde_json::to_vec(&bound).unwrap_or_default()
}

fn arguments<T: DeserializeOwned>(request: &CallToolRequestParams) -> Result<T, ErrorData> {
    let arguments = request.arguments.clone().unwrap_or_else(Map::new);
    serde_json::from_value(Value::Object(arguments))
        .map_err(|error| ErrorData::invalid_params(error.to_string(), None))
}

/// The answer to a question, which must be a yes.
fn answer<T: DeserializeOwned>(request: &CallToolRequestParams, key: &str) -> Result<T, ErrorData> {
    let answers = request.input_responses.as_ref();
    let answer = answers.and_then(|answers| answers.get(key)).cloned();
    let answer: Option<Answer<T>> = answer.and_then(|answer| serde_json::from_value(answer).ok());
    answer
        .filter(|answer| answer.action == "accept")
        .and_then(|answer| answer.content)
        .ok_or_else(|| ErrorData::invalid_params("the question was not answered", None))
}

fn done(text: String) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

fn internal() -> ErrorData {
    ErrorData::internal_error("internal error", None)
}

impl ServerHandler for Bench {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut info =
            ServerConfig::new(capabilities).with_server_info(Implementation::new("bench", "1.0.0"));
        info.protocol_version = ProtocolVersion::V_2026_07_28;
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match &*request.name {
            "plan" => plan::call(self, &request),
            "quiz" => quiz::call(self, &request),
            _ => Err(ErrorData::invalid_params("unknown tool", None)),
        }
    }
}

async fn serve_http(bench: Bench, port: u16) -> Result<(), Box<dyn std::error::Error>> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(bench.clone()), sessions, config);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}

fn main() {
    Setup::from_args().run(async |setup| {
        let bench = Bench::new(&setup);
        match setup.port {
            Some(port) => serve_http(bench, port).await?,
            None => {
                let running = bench.serve(rmcp::transport::stdio()).await?;
                running.waiting().await?;
            }
        }
        Ok(())
    });
}
