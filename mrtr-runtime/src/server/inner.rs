//! A built server: everything that is worked out once and shared by all requests.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mrtr_core::limits::Limits;
use mrtr_core::principal::Principal;
use tokio::sync::Semaphore;

use crate::changes::Hub;
use crate::completion::Completers;
use crate::handler::Handler;
use crate::prompt::Argument;
use crate::protocol::{CallAccess, Listed, Mirror};
use crate::resource::Catalog;
use crate::shared::Shared;

use super::log_gate::LogGate;

/// The parts of a built server.
pub(crate) struct Inner {
    pub(crate) shared: Arc<Shared>,
    pub(crate) tools: BTreeMap<&'static str, Arc<Registered>>,
    pub(crate) prompts: BTreeMap<&'static str, PromptEntry>,
    pub(crate) resources: Catalog,
    /// Whether any argument can be completed.
    pub(crate) completes: bool,
    pub(crate) lists: Lists,
    pub(crate) changes: Arc<Hub>,
    pub(crate) max_subscriptions: usize,
    /// What the test kit describes.
    #[cfg(feature = "testing")]
    pub(crate) listings: Vec<crate::tool::Listing>,
    /// The result of `server/discover` as JSON text.
    pub(crate) discovered: Box<str>,
    /// One permit for each handler that may run.
    pub(crate) slots: Arc<Semaphore>,
    pub(crate) refusals: LogGate,
    pub(crate) max_body: usize,
    pub(crate) commit_limit: Duration,
    /// How long a client of an older revision may take to answer a question.
    #[cfg(feature = "legacy")]
    pub(crate) ask_timeout: Duration,
    /// The calls whose handlers wait for such answers.
    #[cfg(feature = "legacy")]
    pub(crate) crowd: Arc<crate::legacy::Crowd>,
    pub(crate) access: CallAccess,
    pub(crate) require_principal: bool,
    pub(crate) stdio_principal: Option<Principal>,
    #[cfg(feature = "http")]
    pub(crate) gate: super::access::Gate,
}

/// What a server publishes, in pages.
pub(crate) struct Lists {
    pub(crate) tools: Listed,
    pub(crate) prompts: Listed,
    pub(crate) resources: Listed,
    pub(crate) templates: Listed,
}

/// A prompt with what was worked out for it.
pub(crate) struct PromptEntry {
    pub(crate) handler: Arc<Registered>,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) completers: Completers,
}

/// A handler with what was worked out for it.
pub(crate) struct Registered {
    pub(crate) handler: Arc<Handler>,
    pub(crate) name: Arc<str>,
    pub(crate) mirrors: Vec<Mirror>,
    pub(crate) limits: Limits,
    pub(crate) time_limit: Duration,
}

impl Inner {
    /// The tool of this name.
    pub(crate) fn tool(&self, name: &str) -> Option<&Arc<Registered>> {
        self.tools.get(name)
    }
}
