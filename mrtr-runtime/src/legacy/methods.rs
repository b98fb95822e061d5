//! The methods of a session, as the SDK calls them.

use std::borrow::Cow;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, DiscoverResult, ErrorData, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, InitializeRequestParams, InitializeResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ServerConfig, SetLevelRequestParams, SubscribeRequestParams,
    UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;

use crate::error::METHOD_NOT_FOUND;

use super::passed::rpc_error;
use super::session::Session;

type Context = RequestContext<RoleServer>;

impl ServerHandler for Session {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::default()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::known_up_to(&ProtocolVersion::V_2025_11_25))
    }

    async fn initialize(
        &self,
        client: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        let opened = self.open(&client)?;
        context.peer.set_peer_info(client);
        Ok(opened)
    }

    async fn discover(&self, _: Context) -> Result<DiscoverResult, ErrorData> {
        Err(unknown("server/discover"))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.watch(&context.peer);
    }

    async fn subscribe(
        &self,
        params: SubscribeRequestParams,
        context: Context,
    ) -> Result<(), ErrorData> {
        let watch = self.watch(&context.peer);
        let watch = watch.ok_or_else(|| unknown("resources/subscribe"))?;
        watch.subscribe(&params.uri, self.caller(&context).as_ref())
    }

    async fn unsubscribe(
        &self,
        params: UnsubscribeRequestParams,
        context: Context,
    ) -> Result<(), ErrorData> {
        let watch = self.watch(&context.peer);
        let watch = watch.ok_or_else(|| unknown("resources/unsubscribe"))?;
        watch.unsubscribe(&params.uri);
        Ok(())
    }

    async fn set_level(&self, params: SetLevelRequestParams, _: Context) -> Result<(), ErrorData> {
        if let Ok(Value::String(level)) = serde_json::to_value(params.level) {
            self.set(level);
        }
        Ok(())
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let result: CallToolResult = self.serve("tools/call", params, context).await?;
        Ok(result.into())
    }

    async fn list_tools(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        self.serve("tools/list", params, context).await
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let result: GetPromptResult = self.serve("prompts/get", params, context).await?;
        Ok(result.into())
    }

    async fn list_prompts(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.serve("prompts/list", params, context).await
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let result: ReadResourceResult = self.serve("resources/read", params, context).await?;
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.serve("resources/list", params, context).await
    }

    async fn list_resource_templates(
        &self,
        params: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.serve("resources/templates/list", params, context)
            .await
    }

    async fn complete(
        &self,
        params: CompleteRequestParams,
        context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        self.serve("completion/complete", params, context).await
    }

    /// Whatever the SDK does not know, or knows with other params.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: Context,
    ) -> Result<CustomResult, ErrorData> {
        let CustomRequest { method, params, .. } = request;
        let result: Value = self.serve(&method, params, context).await?;
        Ok(CustomResult(result))
    }
}

fn unknown(method: &str) -> ErrorData {
    let name = mrtr_core::text::log_name(method);
    rpc_error(
        METHOD_NOT_FOUND.into(),
        format!("unknown method: {name}"),
        None,
    )
}
