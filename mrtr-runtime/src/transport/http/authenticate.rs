//! Who a caller is: the author's resolver, and what a refusal of it looks like.
//!
//! Source: MCP 2026-07-28, basic/authorization; RFC 6750, section 3.

use std::error::Error;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use http::header::AUTHORIZATION;
use http::request::Parts;
use mrtr_core::principal::Principal;

use crate::caught::caught;
use crate::error::{INVALID_REQUEST, RpcError};
use crate::protocol::Refusal;
use crate::server::Gate;

/// Something that says who a caller is, for [`Server::principal`](crate::Server::principal).
///
/// Functions and closures that take `&Parts` are, when what they return does not borrow from
/// what they have captured; implement it for a type of your own that holds keys or a client:
///
/// ```
/// # use mrtr_runtime as mrtr;
/// use mrtr::{AuthError, Authenticate, Parts, Principal};
///
/// struct Tokens(std::collections::HashMap<String, String>);
///
/// impl Authenticate for Tokens {
///     async fn authenticate(&self, parts: &Parts) -> Result<Option<Principal>, AuthError> {
///         let header = parts.headers.get("authorization").ok_or_else(AuthError::unauthorized)?;
///         let token = header.to_str()?.strip_prefix("Bearer ").ok_or_else(AuthError::unauthorized)?;
///         let user = self.0.get(token).ok_or_else(AuthError::unauthorized)?;
///         Ok(Some(Principal::new("https://issuer.example", user.as_str())?))
///     }
/// }
/// ```
///
/// `M` only tells functions from types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say who a caller is",
    label = "not a resolver of callers",
    note = "a resolver is `async fn(&Parts) -> Result<Option<Principal>, AuthError>`, or a type that implements `Authenticate`",
    note = "an `async` closure that uses what it has captured borrows from itself: clone into `move |parts: &Parts| {{ let keys = keys.clone(); .. async move {{ .. }} }}`, or implement `Authenticate`"
)]
pub trait Authenticate<M = ()>: Send + Sync + 'static {
    /// Says who sends the request with this head; `None` is a caller nobody knows.
    fn authenticate<'p>(
        &'p self,
        parts: &'p Parts,
    ) -> impl Future<Output = Result<Option<Principal>, AuthError>> + Send + 'p;
}

/// Tells functions from types.
#[derive(Debug)]
#[non_exhaustive]
pub struct Function;

impl<F> Authenticate<Function> for F
where
    F: for<'p> AuthFn<'p> + Send + Sync + 'static,
{
    fn authenticate<'p>(
        &'p self,
        parts: &'p Parts,
    ) -> impl Future<Output = Result<Option<Principal>, AuthError>> + Send + 'p {
        self.call(parts)
    }
}

/// An async function of a reference, with a future that can be sent; `AsyncFn` cannot say that.
pub trait AuthFn<'p> {
    /// What the function returns.
    type Future: Future<Output = Result<Option<Principal>, AuthError>> + Send + 'p;

    /// Calls it.
    fn call(&self, parts: &'p Parts) -> Self::Future;
}

impl<'p, F, R> AuthFn<'p> for F
where
    F: Fn(&'p Parts) -> R,
    R: Future<Output = Result<Option<Principal>, AuthError>> + Send + 'p,
{
    type Future = R;

    fn call(&self, parts: &'p Parts) -> R {
        self(parts)
    }
}

type Resolving = Pin<Box<dyn Future<Output = Result<Option<Principal>, AuthError>> + Send>>;

/// The author's resolver.
#[derive(Clone)]
pub(crate) struct Resolver(Arc<dyn Fn(Arc<Parts>) -> Resolving + Send + Sync>);

impl Resolver {
    pub(crate) fn new<M>(resolver: impl Authenticate<M>) -> Self {
        let resolver = Arc::new(resolver);
        Self(Arc::new(move |parts| {
            let resolver = Arc::clone(&resolver);
            Box::pin(async move { resolver.authenticate(&parts).await })
        }))
    }

    /// Asks the resolver. A panic is an error: it must never pass for an unknown caller.
    pub(super) async fn resolve(&self, parts: &Arc<Parts>) -> Result<Option<Principal>, AuthError> {
        let mut resolving = pin!((self.0)(Arc::clone(parts)));
        poll_fn(|cx| {
            let polled = caught(|| resolving.as_mut().poll(cx));
            polled.unwrap_or_else(|| {
                tracing::error!("the resolver of callers panicked");
                Poll::Ready(Err(AuthError::unauthorized()))
            })
        })
        .await
    }
}

/// Why a caller is not let in. Any other error becomes one through `?`, with status 401; its text
/// is for the log only.
pub struct AuthError(Kind);

enum Kind {
    Unauthorized(Option<Box<dyn Error + Send + Sync>>),
    InsufficientScope(Vec<String>),
}

impl AuthError {
    /// The credentials are missing or no good: 401.
    #[must_use]
    pub fn unauthorized() -> Self {
        Self(Kind::Unauthorized(None))
    }

    /// The credentials are good, but do not reach: 403. Name all scopes that the request needs.
    pub fn insufficient_scope<S: Into<String>>(scopes: impl IntoIterator<Item = S>) -> Self {
        Self(Kind::InsufficientScope(
            scopes.into_iter().map(Into::into).collect(),
        ))
    }

    /// The answer, with a challenge that says what to do.
    pub(super) fn refusal(self, gate: &Gate, parts: &Parts) -> Refusal {
        let challenge = gate.challenge();
        match self.0 {
            Kind::Unauthorized(reason) => {
                if let Some(reason) = reason {
                    tracing::warn!(%reason, "a caller could not be authenticated");
                }
                // Somebody who sent nothing has no bad token, and is told no error.
                let sent = parts.headers.contains_key(AUTHORIZATION);
                let error: &[_] = if sent {
                    &[("error", "invalid_token")]
                } else {
                    &[]
                };
                Refusal::unauthorized(with_parameters(challenge, error))
            }
            Kind::InsufficientScope(scopes) => {
                let scope = scope_text(&scopes);
                let base = gate
                    .resource
                    .as_ref()
                    .map_or("Bearer", |resource| &resource.challenge_base);
                let parameters = [("error", "insufficient_scope"), ("scope", &scope)];
                let error = RpcError::new(INVALID_REQUEST, "the caller's scopes do not reach");
                let challenge = with_parameters(base.to_owned(), &parameters);
                Refusal {
                    headers: vec![("www-authenticate", challenge)],
                    ..Refusal::new(403, error)
                }
            }
        }
    }
}

/// The scopes as one parameter; a character that no scope may have is left out.
pub(super) fn scope_text(scopes: &[String]) -> String {
    let clean = |scope: &String| -> String {
        scope
            .chars()
            .filter(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\'))
            .collect()
    };
    scopes
        .iter()
        .map(clean)
        .filter(|scope| !scope.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Adds parameters to a challenge; the first follows the scheme after a blank.
pub(super) fn with_parameters(mut challenge: String, parameters: &[(&str, &str)]) -> String {
    for (name, value) in parameters.iter().filter(|(_, value)| !value.is_empty()) {
        let separator = if challenge.contains('=') { ", " } else { " " };
        challenge.push_str(&format!("{separator}{name}=\"{value}\""));
    }
    challenge
}

/// So that `?` takes any error; `AuthError` itself is therefore no `std::error::Error`.
impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for AuthError {
    fn from(error: E) -> Self {
        Self(Kind::Unauthorized(Some(error.into())))
    }
}

impl fmt::Debug for AuthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Unauthorized(reason) => f.debug_tuple("Unauthorized").field(reason).finish(),
            Kind::InsufficientScope(scopes) => {
                f.debug_tuple("InsufficientScope").field(scopes).finish()
            }
        }
    }
}
