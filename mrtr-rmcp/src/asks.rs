//! Asking in a tool that is rmcp's own.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use mrtr_runtime::__mount::{Bridge, ToolCall};
use mrtr_runtime::__private::{commit, into_tool_result};
use mrtr_runtime::{Commit, Ctx, IntoToolResult, ToolError};
use rmcp::ErrorData;
use rmcp::handler::server::common::{AsRequestContext, FromContextPart};
use rmcp::model::CallToolResponse;

/// The right to ask in a tool of rmcp's, as a parameter of it. The tool's router has to have gone
/// through [`Mounted::asking`](crate::Mounted::asking).
///
/// The tool returns what [`run`](Asks::run) or [`commit`](Asks::commit) come to. On 2026-07-28 that
/// is the open question, and the client calls the tool again with the answer: *everything* in the
/// tool runs again in every round, and the lint sees nothing of it. Put nothing before the call, and
/// questions into `#[asking] async fn`s, which the lint does see.
#[derive(Debug)]
pub struct Asks(Way);

/// What a route of the mount leaves for [`Asks`].
#[derive(Clone)]
pub(crate) struct Way {
    bridge: Arc<Bridge>,
    call: ToolCall,
}

impl Way {
    pub(crate) fn new(bridge: &Arc<Bridge>, call: ToolCall) -> Self {
        let bridge = Arc::clone(bridge);
        Self { bridge, call }
    }
}

impl Asks {
    /// Runs a body that asks, and has no effects.
    ///
    /// # Errors
    /// The JSON-RPC error that the call is answered with.
    pub async fn run<T, F>(self, body: F) -> Result<CallToolResponse, ErrorData>
    where
        F: for<'c> AskFn<'c, T> + Send + 'static,
        T: IntoToolResult + Send + 'static,
    {
        let Way { bridge, call } = self.0;
        let body = async move |ctx: Ctx, _| into_tool_result(body.ask(&ctx).await);
        bridge.run(call, false, body).await
    }

    /// Runs a body that asks, and then the effects it was asked for.
    ///
    /// The effects happen once in a flow, as those of a `#[commit]`: they are claimed in the flow
    /// store when no question is open, and a repeated last round gets the recorded result.
    ///
    /// # Errors
    /// The JSON-RPC error that the call is answered with.
    pub async fn commit<T, U, F, G, R>(
        self,
        body: F,
        effects: G,
    ) -> Result<CallToolResponse, ErrorData>
    where
        F: for<'c> AskFn<'c, Result<T, ToolError>> + Send + 'static,
        G: FnOnce(Commit, T) -> R + Send + 'static,
        R: Future<Output = U> + Send + 'static,
        T: Send + 'static,
        U: IntoToolResult + Send + 'static,
    {
        let Way { bridge, call } = self.0;
        let body = async move |ctx: Ctx, _| {
            let asked = body.ask(&ctx).await?;
            let right = commit(ctx).await;
            into_tool_result(effects(right, asked).await)
        };
        bridge.run(call, true, body).await
    }
}

/// An async function of a reference to a [`Ctx`], with a future that can be sent: an `async move`
/// closure that takes `ctx: &Ctx`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not ask",
    label = "not an async function of `&Ctx`",
    note = "write `async move |ctx: &Ctx| {{ .. }}`; what it captures and holds across an ask must be `Send`"
)]
pub trait AskFn<'c, T> {
    /// What the function returns.
    type Future: Future<Output = T> + Send + 'c;

    /// Calls it.
    fn ask(self, ctx: &'c Ctx) -> Self::Future;
}

impl<'c, F, R> AskFn<'c, R::Output> for F
where
    F: FnOnce(&'c Ctx) -> R,
    R: Future + Send + 'c,
{
    type Future = R;

    fn ask(self, ctx: &'c Ctx) -> R {
        self(ctx)
    }
}

impl<C: AsRequestContext> FromContextPart<C> for Asks {
    fn from_context_part(context: &mut C) -> Result<Self, ErrorData> {
        let way = context.as_request_context().extensions.get::<Way>();
        way.cloned().map(Self).ok_or_else(|| {
            ErrorData::internal_error(
                "this tool asks, but its router cannot; make it with `mounted.asking(Self::tool_router())`",
                None,
            )
        })
    }
}

impl fmt::Debug for Way {
    /// Says nothing of the call: it holds arguments and answers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Way").finish_non_exhaustive()
    }
}
