//! Validators: the author's own rules for an accepted value.

use std::fmt::Display;
use std::future::{Future, ready};

/// A function that says why a value will not do: `fn(&T) -> Result<(), E>`, or an `async fn` of
/// the same shape. The reason is shown to the user, so it should say what to write instead.
///
/// `M` only tells the two shapes apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not validate a `{T}`",
    label = "not a validator of this type",
    note = "a validator is `fn(&{T}) -> Result<(), E>` or `async fn(&{T}) -> Result<(), E>`, where `E` says in words what is wrong"
)]
pub trait Validate<T, M> {
    /// Looks at the value.
    fn validate<'v>(&'v self, value: &'v T)
    -> impl Future<Output = Result<(), String>> + Send + 'v;
}

/// Tells validators that answer at once apart.
#[derive(Debug)]
#[non_exhaustive]
pub struct Immediate;

/// Tells async validators apart.
#[derive(Debug)]
#[non_exhaustive]
pub struct Async;

impl<T, E, F> Validate<T, (Immediate, E)> for F
where
    E: Display,
    F: Fn(&T) -> Result<(), E>,
{
    fn validate<'v>(
        &'v self,
        value: &'v T,
    ) -> impl Future<Output = Result<(), String>> + Send + 'v {
        ready(self(value).map_err(|error| error.to_string()))
    }
}

impl<T, E, F> Validate<T, (Async, E)> for F
where
    T: Sync + 'static,
    E: Display + 'static,
    F: for<'v> AsyncValidator<'v, T, E> + Sync,
{
    async fn validate<'v>(&'v self, value: &'v T) -> Result<(), String> {
        self.call(value).await.map_err(|error| error.to_string())
    }
}

/// An async function of a reference, with a future that can be sent; `AsyncFn` cannot say that.
pub trait AsyncValidator<'v, T: 'v, E> {
    /// What the function returns.
    type Future: Future<Output = Result<(), E>> + Send + 'v;

    /// Calls it.
    fn call(&self, value: &'v T) -> Self::Future;
}

impl<'v, T: 'v, E, F, R> AsyncValidator<'v, T, E> for F
where
    F: Fn(&'v T) -> R,
    R: Future<Output = Result<(), E>> + Send + 'v,
{
    type Future = R;

    fn call(&self, value: &'v T) -> R {
        self(value)
    }
}
