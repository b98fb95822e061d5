//! What `#[memo]` becomes: values remembered along the rounds.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ctx::Ctx;

/// A type that the state can carry; the trait exists for its error text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be remembered",
    label = "a memo is written into the state of the call and read from it",
    note = "write `#[derive(Serialize, Deserialize)]` on the type"
)]
pub trait Remembered: Serialize + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned> Remembered for T {}

impl Ctx {
    /// A remembered value, if this path of rounds has one that still reads as `T`.
    #[doc(hidden)]
    #[must_use]
    pub fn memo_get<T: Remembered>(&self, name: &'static str) -> Option<T> {
        let key = self.full_key(name.into()).ok()?;
        let state = self.run().lock();
        // A value whose type a deploy has changed is computed again.
        serde_json::from_str(state.round.memo(&key)?).ok()
    }

    /// Remembers a value for the rounds that follow.
    #[doc(hidden)]
    pub fn memo_put<T: Remembered>(&self, name: &'static str, value: &T) {
        let (Ok(key), Ok(text)) = (self.full_key(name.into()), serde_json::to_string(value)) else {
            tracing::warn!(
                memo = name,
                "the value does not serialise and is not remembered"
            );
            return;
        };
        self.run().lock().round.remember(key, text);
    }
}
