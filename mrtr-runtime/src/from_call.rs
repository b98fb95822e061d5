//! Parameters that are not the tool's arguments: injected from the server and the request.

use std::any::{TypeId, type_name};
use std::future::Future;

use mrtr_core::principal::Principal;

use crate::call::Call;
use crate::ctx::Ctx;
use crate::error::ToolError;

/// A type that a handler's parameter can be made of, from the call.
///
/// `State<T>`, `Principal`, `Option<Principal>`, `Extension<T>`, `Parts` and `Call` are recognised
/// by their names. Another type joins in with `#[from_call]` on the parameter; it may load things
/// and ask, like the handler itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made from a call",
    label = "not a parameter that mrtr can inject",
    note = "an argument of the tool is a plain parameter, without `#[from_call]`",
    note = "`State`, `Extension` and `Parts` are mrtr's own: `use mrtr::prelude::*`, not axum's types of the same names"
)]
pub trait FromCall: Sized {
    /// Makes the value.
    ///
    /// # Errors
    /// The error ends the call as if the handler had returned it.
    fn from_call(ctx: &Ctx, call: &Call) -> impl Future<Output = Result<Self, ToolError>> + Send;

    /// Names what the server must have been given, so that a missing piece shows when it is built.
    fn needs(needs: &mut Needs) {
        let _ = needs;
    }
}

/// What the handlers of a server need to have been given.
#[derive(Debug, Default, Clone)]
pub struct Needs {
    pub(crate) states: Vec<(TypeId, &'static str)>,
    pub(crate) principal: bool,
}

impl Needs {
    /// A `.state(value)` of this type.
    pub fn state<T: 'static>(&mut self) {
        self.states.push((TypeId::of::<T>(), type_name::<T>()));
    }

    /// An authenticated caller.
    pub fn principal(&mut self) {
        self.principal = true;
    }
}

/// A value given to the server with `.state(value)`, cloned for each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct State<T>(pub T);

impl<T: Clone + Send + Sync + 'static> FromCall for State<T> {
    async fn from_call(_ctx: &Ctx, call: &Call) -> Result<Self, ToolError> {
        let name = type_name::<T>();
        let value = call.0.shared.states.get::<T>();
        value
            .map(State)
            .ok_or_else(|| ToolError::internal(format!("no `.state(..)` of type `{name}`")))
    }

    fn needs(needs: &mut Needs) {
        needs.state::<T>();
    }
}

impl FromCall for Call {
    async fn from_call(_ctx: &Ctx, call: &Call) -> Result<Self, ToolError> {
        Ok(call.clone())
    }
}

impl FromCall for Principal {
    async fn from_call(_ctx: &Ctx, call: &Call) -> Result<Self, ToolError> {
        call.principal()
            .cloned()
            .ok_or_else(|| ToolError::user("this tool needs a caller who has signed in"))
    }

    fn needs(needs: &mut Needs) {
        needs.principal();
    }
}

impl FromCall for Option<Principal> {
    async fn from_call(_ctx: &Ctx, call: &Call) -> Result<Self, ToolError> {
        Ok(call.principal().cloned())
    }
}

/// A value that a layer in front of the server put into the HTTP request's extensions.
#[cfg(feature = "http")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extension<T>(pub T);

#[cfg(feature = "http")]
impl<T: Clone + Send + Sync + 'static> FromCall for Extension<T> {
    async fn from_call(_ctx: &Ctx, call: &Call) -> Result<Self, ToolError> {
        let found = call
            .0
            .parts
            .as_ref()
            .and_then(|parts| parts.extensions.get::<T>());
        found.cloned().map(Extension).ok_or_else(|| {
            ToolError::internal(format!(
                "the request carries no extension of type `{}`",
                type_name::<T>()
            ))
        })
    }
}

/// The head of the HTTP request. Over stdio there is none, and a handler that takes it fails;
/// take `Option<Parts>` to work on both.
#[cfg(feature = "http")]
pub use http::request::Parts;

#[cfg(feature = "http")]
impl FromCall for Parts {
    async fn from_call(_ctx: &Ctx, call: &Call) -> Result<Self, ToolError> {
        let parts = call.0.parts.as_deref().cloned();
        parts.ok_or_else(|| ToolError::internal("the call did not come over HTTP"))
    }
}

#[cfg(feature = "http")]
impl FromCall for Option<Parts> {
    async fn from_call(_ctx: &Ctx, call: &Call) -> Result<Self, ToolError> {
        Ok(call.0.parts.as_deref().cloned())
    }
}
