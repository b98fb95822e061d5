//! Tools of ours in somebody else's server of the SDK: what `mrtr-rmcp` is made of.
//!
//! It is no part of the API: the types of the SDK stand in it, and the two crates are one release.

use std::borrow::Cow;
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mrtr_core::principal::Principal;
use mrtr_core::state::Root;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolResponse, CallToolResult, ErrorData, InputRequiredResult, InputResponses, JsonObject,
    ProtocolVersion, Tool,
};
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};

use crate::call::Call;
use crate::content::ToolResult;
use crate::ctx::Ctx;
use crate::error::ToolError;
use crate::handler::{Handler, Output};
use crate::run::Working;
use crate::server::{BuildError, Inner, Mounted, Registered, Server};
use crate::tool::Listing;

use super::identity::Identity;
use super::passed::{
    Passed, answer, internal, modern, object, request, response, rpc_error, typed,
};
use super::revision::Revision;

const METHOD: &str = "tools/call";

/// What is said of `back_to` in a tool of the SDK's, whose body is there once.
const NO_WAY_BACK: &str = "this tool cannot go back to an earlier question for a client of an older revision; \
    start the call again";

/// A built server that answers calls which a server of the SDK's has read.
pub struct Bridge {
    mounted: Mounted<Tool>,
    identity: Identity,
    /// The names of the SDK's tools that asked, each leaked once: logs and observers keep them.
    names: Mutex<HashMap<String, &'static str>>,
}

/// A call of a tool, as the SDK has read it.
#[derive(Clone)]
pub struct ToolCall {
    /// The tool.
    pub name: Cow<'static, str>,
    /// Its arguments.
    pub arguments: Option<JsonObject>,
    /// The answers that came with it.
    pub input_responses: Option<InputResponses>,
    /// The state that came with it.
    pub request_state: Option<String>,
    /// The request it came in.
    pub context: RequestContext<RoleServer>,
}

impl Bridge {
    /// Builds a server whose tools another one calls; `local` if that one is reached by one
    /// process only, at the other end of a pipe.
    ///
    /// # Errors
    /// As [`Server::build`].
    pub fn new(server: Server, local: bool) -> Result<Self, BuildError> {
        let listed = |listing: &Listing| {
            serde_json::from_value(json!(listing)).map_err(|error| {
                format!("rmcp does not take its listing: {error}\n  help: its `_meta` and its schemas must be objects")
            })
        };
        let mounted = server.build_mounted(local, listed)?;
        let identity = Identity::draw(&*mounted.endpoint.0.shared.world);
        Ok(Self {
            mounted,
            identity,
            names: Mutex::default(),
        })
    }

    /// The tools, as the SDK lists them.
    pub fn tools(&self) -> impl Iterator<Item = Tool> {
        self.mounted.tools.iter().cloned()
    }

    /// Answers a call of one of the server's own tools.
    ///
    /// # Errors
    /// The JSON-RPC error that the call is answered with.
    pub async fn call(&self, call: ToolCall) -> Result<CallToolResponse, ErrorData> {
        self.answer(call, None).await
    }

    /// Answers a call of a tool of the SDK's, with a body that may ask, and commit if it `commits`.
    ///
    /// # Errors
    /// The JSON-RPC error that the call is answered with.
    pub async fn run<F, R>(
        &self,
        call: ToolCall,
        commits: bool,
        body: F,
    ) -> Result<CallToolResponse, ErrorData>
    where
        F: FnOnce(Ctx, Call) -> R + Send + 'static,
        R: Future<Output = Result<ToolResult, ToolError>> + Send + 'static,
    {
        // One request runs its handler once, unless it goes back in a session.
        let body = Mutex::new(Some(body));
        let run = move |ctx, call| -> Working {
            let body = body.lock().unwrap_or_else(PoisonError::into_inner).take();
            Box::pin(async move {
                let body = body.ok_or_else(|| ToolError::user(NO_WAY_BACK))?;
                body(ctx, call).await.map(Output::Tool)
            })
        };
        let handler = Handler::passed(self.name(call.name.clone()), commits, Arc::new(run));
        let handler = self.mounted.register(&handler);
        self.answer(call, Some(handler)).await
    }

    /// Waits until no commit is running any more, at most as long as `grace`.
    pub async fn drain(&self, grace: Duration) -> bool {
        self.mounted.endpoint.drain(grace).await
    }

    async fn answer(
        &self,
        call: ToolCall,
        handler: Option<Arc<Registered>>,
    ) -> Result<CallToolResponse, ErrorData> {
        let caller = self.caller(&call.context).await?;
        let older = older(&call.context);
        let passed = Passed {
            server: self.server(),
            text: text(&call, older),
            older,
            root: self.root(&call.context, caller.as_ref()),
            handler,
            caller,
            context: &call.context,
        };
        let body = passed.response().await;
        match older {
            Some(revision) => {
                let result: CallToolResult = answer(revision, METHOD, body.as_deref())?;
                Ok(result.into())
            }
            None => modern_answer(body.as_deref()),
        }
    }

    fn server(&self) -> &Arc<Inner> {
        &self.mounted.endpoint.0
    }

    /// The name for good. Names are those of routes, so that there are few.
    fn name(&self, name: Cow<'static, str>) -> &'static str {
        match name {
            Cow::Borrowed(name) => name,
            Cow::Owned(name) => {
                let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
                let kept = names.entry(name);
                kept.or_insert_with_key(|name| Box::leak(name.clone().into_boxed_str()))
            }
        }
    }

    /// Who calls: what the resolver says of an HTTP request, and whoever is at the other end of a
    /// pipe otherwise.
    #[cfg_attr(
        not(feature = "http"),
        expect(unused_variables, reason = "only HTTP has callers of its own")
    )]
    async fn caller(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<Option<Principal>, ErrorData> {
        #[cfg(feature = "http")]
        if let Some(parts) = context.extensions.get::<::http::request::Parts>() {
            let parts = Arc::new(parts.clone());
            let caller = crate::transport::http::caller(&self.mounted.endpoint, &parts).await;
            return caller.map_err(|refusal| {
                let error = refusal.error;
                rpc_error(error.code.into(), error.message, None)
            });
        }
        Ok(self.server().stdio_principal.clone())
    }

    /// The root of the call's flow, where its session has a name. Sessions of the SDK belong to
    /// nobody, so that the caller is part of it.
    fn root(
        &self,
        context: &RequestContext<RoleServer>,
        caller: Option<&Principal>,
    ) -> Option<Root> {
        let session = session_name(context)?;
        let caller = Principal::encode(caller);
        let parts: [&[u8]; 2] = [session.as_bytes(), &caller];
        self.identity.root("mrtr v1 mount", &parts, &context.id)
    }
}

/// The client's revision, if its clients are asked while the handler waits.
fn older(context: &RequestContext<RoleServer>) -> Option<Revision> {
    match context.protocol_version() {
        Some(version) if version >= ProtocolVersion::V_2026_07_28 => None,
        Some(version) => Some(Revision::agreed(version.as_str())),
        // Whoever skipped the handshake has declared nothing, and can be asked nothing.
        None => Some(Revision::V2025_11_25),
    }
}

/// The call as a modern client sends it.
fn text(call: &ToolCall, older: Option<Revision>) -> String {
    let mut params = Map::new();
    params.insert("name".into(), json!(call.name));
    let arguments = call.arguments.as_ref();
    let arguments = arguments.map(|arguments| ("arguments", json!(arguments)));
    let answers = call.input_responses.as_ref();
    let answers = answers.map(|answers| ("inputResponses", json!(answers)));
    let state = call.request_state.as_ref();
    let state = state.map(|state| ("requestState", json!(state)));
    let given = [arguments, answers, state].into_iter().flatten();
    params.extend(given.map(|(name, value)| (name.to_owned(), value)));
    match older {
        None => {
            params.insert("_meta".into(), json!(call.context.meta));
            request(METHOD, &params)
        }
        Some(revision) => {
            let declared = object(&call.context.client_capabilities());
            let capabilities = revision.capabilities(declared);
            // Which level the client has set, if any, only the other server knows.
            modern(METHOD, params, &call.context, &capabilities, None)
        }
    }
}

/// A modern response as the SDK's result.
fn modern_answer(body: Option<&[u8]>) -> Result<CallToolResponse, ErrorData> {
    let mut response = response(body)?;
    if let Some(error) = response.get_mut("error") {
        let code = error["code"].as_i64().ok_or_else(internal)?;
        let message = error["message"].as_str().unwrap_or_default().to_owned();
        let data = error.get_mut("data").map(Value::take);
        return Err(rpc_error(code, message, data));
    }
    let result = response["result"].take();
    if result["resultType"] == "input_required" {
        return Ok(typed::<InputRequiredResult>(result)?.into());
    }
    Ok(typed::<CallToolResult>(result)?.into())
}

/// The name of the session that a request came in, where its transport has one.
#[cfg_attr(
    not(feature = "http"),
    expect(unused_variables, reason = "only HTTP names sessions")
)]
fn session_name(context: &RequestContext<RoleServer>) -> Option<String> {
    #[cfg(feature = "http")]
    if let Some(parts) = context.extensions.get::<::http::request::Parts>() {
        let name = parts.headers.get("mcp-session-id")?;
        return Some(name.to_str().ok()?.to_owned());
    }
    None
}
