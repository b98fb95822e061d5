//! How an expansion says which asks a handler's source declares.

use mrtr_core::form::{FormError, FormSchema};
use mrtr_core::state::Kind;

use crate::ask::Typed;

/// An ask that the handler's source declares.
#[derive(Clone)]
#[must_use]
pub struct AskDef {
    pub(crate) key: &'static str,
    pub(crate) kind: Kind,
    /// Every path asks it.
    pub(crate) required: bool,
    pub(crate) check: fn(&str) -> Result<Option<FormSchema>, FormError>,
}

impl AskDef {
    /// A form ask.
    pub fn form<T>(typed: &Typed<T>, key: &'static str) -> Self {
        Self::new(typed, key, Kind::Form)
    }

    /// An ask with choices known at run time.
    pub fn options<T>(typed: &Typed<T>, key: &'static str) -> Self {
        Self::new(typed, key, Kind::Form)
    }

    /// An ask that opens a link.
    pub fn url<T>(typed: &Typed<T>, key: &'static str) -> Self {
        Self::new(typed, key, Kind::Url)
    }

    /// An ask that goes to the client's model.
    pub fn sampling<T>(typed: &Typed<T>, key: &'static str) -> Self {
        Self::new(typed, key, Kind::Sampling)
    }

    /// An ask for the client's roots.
    pub fn roots<T>(typed: &Typed<T>, key: &'static str) -> Self {
        Self::new(typed, key, Kind::Roots)
    }

    fn new<T>(typed: &Typed<T>, key: &'static str, kind: Kind) -> Self {
        Self {
            key,
            kind,
            required: false,
            check: typed.form,
        }
    }

    /// Marks it as asked on every path.
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }
}

impl std::fmt::Debug for AskDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AskDef")
            .field("key", &self.key)
            .field("required", &self.required)
            .finish()
    }
}
