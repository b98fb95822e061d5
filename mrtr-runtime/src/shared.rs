//! What every call of one server shares.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use mrtr_core::limits::Limits;
use mrtr_core::seal::{Realm, Sealer};
use mrtr_core::url::UrlPolicy;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::caught::caught;
use crate::flow::FlowStore;
use crate::observe::{Event, Observer};
use crate::resource::CacheScope;
use crate::run::{Ended, Waiting};
use crate::wire;
use crate::world::World;

/// The parts of a built server that a run needs.
pub(crate) struct Shared {
    pub(crate) realm: Realm,
    pub(crate) limits: Limits,
    pub(crate) sealer: Sealer,
    /// Where questions may send users.
    pub(crate) urls: UrlPolicy,
    pub(crate) states: States,
    pub(crate) observers: Vec<Observer>,
    pub(crate) world: Arc<dyn World>,
    /// The server as results name it, as JSON text; none when they do not.
    pub(crate) info: Option<String>,
    /// Who may share a result that says nothing of it.
    pub(crate) scope: CacheScope,
    /// Where it is known which flows have been carried out.
    pub(crate) flows: Option<Arc<dyn FlowStore>>,
    /// How long a commit may run at all.
    pub(crate) hard_limit: Duration,
    /// How long it is known that a commit about a thing was carried out.
    pub(crate) thing_ttl: Duration,
    /// Requests that wait for one that carries out the same.
    pub(crate) waiting: Arc<Waiting>,
    /// Runs that may outlive their requests, for a server that ends to wait for.
    pub(crate) tasks: TaskTracker,
    /// Cancelled when the server ends while commits run: their outcome is then unknown.
    pub(crate) lost: CancellationToken,
}

impl Shared {
    /// Writes the `result` or `error` member that an end becomes.
    pub(crate) fn write(&self, out: &mut Vec<u8>, ended: &Ended) {
        let info = self.info.as_deref();
        match ended {
            Ended::Complete(output) => wire::complete(out, output, self.scope, info),
            Ended::Asked { questions, state } => wire::asked(out, questions, state, info),
            Ended::Failed(error) => wire::error(out, error),
            Ended::Recorded(member) => out.extend_from_slice(member),
            Ended::Unsubscribed(id) => wire::unsubscribed(out, id, info),
            Ended::Cancelled => {}
        }
    }

    /// Tells everybody who observes. One who panics takes nothing else down.
    pub(crate) fn tell(&self, event: &Event<'_>) {
        for observer in &self.observers {
            if caught(|| observer(event)).is_none() {
                tracing::error!("an observer panicked");
            }
        }
    }
}

/// The values that `State<T>` parameters take, by type.
#[derive(Default)]
pub(crate) struct States(HashMap<TypeId, Box<dyn Any + Send + Sync>>);

impl States {
    /// Adds a value; a second one of the same type replaces the first.
    pub(crate) fn insert<T: Clone + Send + Sync + 'static>(&mut self, value: T) {
        self.0.insert(TypeId::of::<T>(), Box::new(value));
    }

    /// A clone of the value of this type.
    pub(crate) fn get<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref::<T>().cloned()
    }

    /// Whether there is a value of this type.
    pub(crate) fn has(&self, id: TypeId) -> bool {
        self.0.contains_key(&id)
    }
}
