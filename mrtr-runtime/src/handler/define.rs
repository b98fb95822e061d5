//! How an expansion says what a handler is: the part that all kinds share.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::from_call::{FromCall, Needs};
use crate::schema;
use crate::tool::ArgumentCheck;

use super::{AskDef, Handler, HandlerFn, HandlerKind};

/// A handler being put together; `K` is what only its kind has.
#[derive(Debug)]
#[must_use]
pub struct Def<K> {
    pub(crate) name: &'static str,
    pub(crate) title: Option<&'static str>,
    pub(crate) description: Option<&'static str>,
    pub(crate) meta: Option<Box<RawValue>>,
    asks: Vec<AskDef>,
    needs: Needs,
    flow_ttl: Option<u64>,
    round_ttl: Option<u64>,
    time_limit: Option<u64>,
    pub(crate) parts: K,
}

impl<K> Def<K> {
    /// A handler of this name.
    pub(crate) fn of(name: &'static str, parts: K) -> Self {
        Self {
            name,
            title: None,
            description: None,
            meta: None,
            asks: Vec::new(),
            needs: Needs::default(),
            flow_ttl: None,
            round_ttl: None,
            time_limit: None,
            parts,
        }
    }

    /// The name for people.
    pub fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// What the model reads.
    pub fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// The `_meta` of its listing.
    pub fn meta(mut self, meta: &Value) -> Self {
        self.meta = RawValue::from_string(schema::write(meta, &[])).ok();
        self
    }

    /// An injected parameter.
    pub fn param<T: FromCall>(mut self) -> Self {
        T::needs(&mut self.needs);
        self
    }

    /// An ask that the source declares.
    pub fn ask(mut self, ask: AskDef) -> Self {
        self.asks.push(ask);
        self
    }

    /// How long its flows last, in milliseconds.
    pub fn flow_ttl_ms(mut self, ms: u64) -> Self {
        self.flow_ttl = Some(ms);
        self
    }

    /// How long its questions wait, in milliseconds.
    pub fn round_ttl_ms(mut self, ms: u64) -> Self {
        self.round_ttl = Some(ms);
        self
    }

    /// How long one run may take, in milliseconds.
    pub fn time_limit_ms(mut self, ms: u64) -> Self {
        self.time_limit = Some(ms);
        self
    }

    /// Whether it needs a caller who has signed in.
    pub(crate) fn needs_principal(&self) -> bool {
        self.needs.principal
    }

    /// The part that runs.
    pub(crate) fn core(&mut self, kind: HandlerKind, run: HandlerFn) -> Handler {
        Handler {
            kind,
            name: self.name,
            asks: std::mem::take(&mut self.asks),
            commits: false,
            takeover: false,
            needs: std::mem::take(&mut self.needs),
            flow_ttl: self.flow_ttl,
            round_ttl: self.round_ttl,
            time_limit: self.time_limit,
            arguments: ArgumentCheck::TypesOnly,
            run,
        }
    }
}
