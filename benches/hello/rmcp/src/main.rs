//! The smallest server that asks, with rmcp: what a first build costs.

use rmcp::handler::server::tool::{InputResponses, RequestState};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::*;
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};

#[derive(Clone)]
struct Hello;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Arguments {
    greeting: String,
}

fn ask() -> InputRequiredResult {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"]
    });
    let form = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: "Whom shall I greet?".into(),
        requested_schema: serde_json::from_value(schema).expect("a form"),
    };
    let mut requests = InputRequests::new();
    requests.insert(
        "name".into(),
        InputRequest::Elicitation(ElicitRequest::new(form)),
    );
    InputRequiredResult::new(Some(requests), Some("asked".into()))
}

#[tool_router]
impl Hello {
    #[tool(description = "Greets somebody.")]
    async fn greet(
        &self,
        Parameters(arguments): Parameters<Arguments>,
        RequestState(state): RequestState,
        InputResponses(answers): InputResponses,
    ) -> Result<CallToolResponse, ErrorData> {
        if state.is_none() {
            return Ok(ask().into());
        }
        let answers = answers.unwrap_or_default();
        let name = answers
            .get("name")
            .and_then(|answer| answer["content"]["name"].as_str());
        let name = name.ok_or_else(|| ErrorData::invalid_params("no answer", None))?;
        let text = format!("{}, {name}", arguments.greeting);
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

#[tool_handler]
impl ServerHandler for Hello {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().any(|arg| arg == "--http") {
        use rmcp::transport::streamable_http_server::{
            StreamableHttpService, session::local::LocalSessionManager,
        };
        let sessions = LocalSessionManager::default().into();
        let service = StreamableHttpService::new(|| Ok(Hello), sessions, Default::default());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
        axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
        return Ok(());
    }
    Hello
        .serve(rmcp::transport::stdio())
        .await?
        .waiting()
        .await?;
    Ok(())
}
