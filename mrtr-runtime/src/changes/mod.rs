//! Telling clients that lists or resources have changed: the author's handle, and who listens.
//!
//! Source: MCP 2026-07-28, basic/patterns/subscriptions. A notification says that something is to be
//! read again, so that two of a kind that wait to be sent are one. What a slow client holds back
//! is therefore bounded by what it subscribed to.

mod filter;
mod subscription;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mrtr_core::principal::Principal;
use tokio_util::sync::CancellationToken;

pub(crate) use filter::Filter;
pub(crate) use subscription::{Change, Subscription};

use subscription::Whose;

/// How many subscriptions one caller may hold, so that nobody takes the places of all others.
const MOST_PER_CALLER: usize = 64;

/// Tells the clients that listen what has changed; from [`Server::changes`](crate::Server::changes).
///
/// Cloning is cheap, and all clones reach the same clients. Give one to handlers with `.state(..)`.
/// A server of several instances has to be told on each of them.
#[derive(Clone)]
pub struct Changes(Arc<Hub>);

impl Changes {
    pub(crate) fn of(hub: &Arc<Hub>) -> Self {
        hub.taken.store(true, Ordering::Relaxed);
        Self(Arc::clone(hub))
    }

    /// The list of tools has changed.
    pub fn tools(&self) {
        self.0.tell(&Change::Tools);
    }

    /// The list of prompts has changed.
    pub fn prompts(&self) {
        self.0.tell(&Change::Prompts);
    }

    /// The list of resources, or of their templates, has changed.
    pub fn resources(&self) {
        self.0.tell(&Change::Resources);
    }

    /// The resource at this URI has changed. Clients that subscribed to it, or to one that it is
    /// a part of (`notes:///a/b` is one of `notes:///a`), are told.
    pub fn resource(&self, uri: impl AsRef<str>) {
        self.0.tell(&Change::Resource(uri.as_ref().into()));
    }

    /// How many clients listen on this instance: open subscriptions, and sessions of older
    /// revisions, which need none to be told of lists.
    #[must_use]
    pub fn listeners(&self) -> usize {
        self.0.lock().len()
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes")
            .field("listeners", &self.listeners())
            .finish()
    }
}

/// All that listen to one server.
#[derive(Default)]
pub(crate) struct Hub {
    listening: Mutex<Vec<Arc<Subscription>>>,
    taken: AtomicBool,
    closing: CancellationToken,
}

impl Hub {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Subscription>>> {
        self.listening
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the author can tell of changes at all.
    pub(crate) fn is_taken(&self) -> bool {
        self.taken.load(Ordering::Relaxed)
    }

    fn tell(&self, change: &Change) {
        for subscription in self.lock().iter() {
            subscription.note(change);
        }
    }

    /// Adds a subscription, unless there are `most` already or its caller has too many of them.
    pub(crate) fn listen(
        self: &Arc<Self>,
        filter: Filter,
        caller: Option<&Principal>,
        most: usize,
    ) -> Option<Listening> {
        let whose = caller.map_or(Whose::Anybody, |caller| Whose::Caller(caller.clone()));
        let mut listening = self.lock();
        let (mut all, mut own) = (0, 0);
        for other in listening.iter().map(|other| &other.whose) {
            all += usize::from(matches!(other, Whose::Anybody | Whose::Caller(_)));
            own += usize::from(matches!(other, Whose::Caller(_)) && *other == whose);
        }
        let room = all < most && own < MOST_PER_CALLER;
        room.then(|| self.add(&mut listening, Subscription::new(filter, whose)))
    }

    /// Adds what a session is told of. Sessions are told unasked, and their number has a bound of
    /// its own.
    #[cfg(feature = "legacy")]
    pub(crate) fn follow(self: &Arc<Self>, filter: Filter) -> Listening {
        self.add(&mut self.lock(), Subscription::new(filter, Whose::Session))
    }

    fn add(
        self: &Arc<Self>,
        listening: &mut Vec<Arc<Subscription>>,
        subscription: Subscription,
    ) -> Listening {
        let subscription = Arc::new(subscription);
        listening.push(Arc::clone(&subscription));
        Listening {
            hub: Arc::clone(self),
            subscription,
        }
    }

    /// Ends all subscriptions, and every later one at once: the server ends.
    pub(crate) fn close(&self) {
        self.closing.cancel();
    }
}

/// An open subscription; dropping it ends it.
pub(crate) struct Listening {
    hub: Arc<Hub>,
    subscription: Arc<Subscription>,
}

impl Listening {
    /// What the client is told next; `None` when the server ends.
    pub(crate) async fn next(&self) -> Option<Change> {
        tokio::select! {
            biased;
            () = self.hub.closing.cancelled() => None,
            change = self.subscription.next() => Some(change),
        }
    }

    /// What the client will be told of.
    pub(crate) fn filter(&self) -> Filter {
        self.subscription.filter()
    }

    /// From now on the client is told of this resource, too, unless it watches `most` already.
    #[cfg(feature = "legacy")]
    pub(crate) fn watch(&self, uri: &str, most: usize) -> bool {
        self.subscription.watch(uri, most)
    }

    /// From now on the client is not told of this resource.
    #[cfg(feature = "legacy")]
    pub(crate) fn unwatch(&self, uri: &str) {
        self.subscription.unwatch(uri);
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut listening = self.hub.lock();
        listening.retain(|other| !Arc::ptr_eq(other, &self.subscription));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hub() -> (Arc<Hub>, Changes) {
        let hub = Arc::new(Hub::default());
        let changes = Changes::of(&hub);
        (hub, changes)
    }

    fn uris(uris: &[&str]) -> Filter {
        Filter {
            uris: uris.iter().map(|uri| Box::from(*uri)).collect(),
            ..Filter::default()
        }
    }

    #[tokio::test]
    async fn a_client_is_told_what_it_asked_for_once_and_in_bounds() {
        let (hub, changes) = hub();
        let filter = Filter {
            tools: true,
            ..uris(&["n:///a"])
        };
        let listening = hub.listen(filter, None, 1).unwrap();
        let another = hub.listen(Filter::default(), None, 1);
        assert!(another.is_none(), "one is enough");
        for _ in 0..3 {
            changes.tools();
            changes.prompts();
            changes.resource("n:///a");
            changes.resource("n:///ab");
        }
        assert_eq!(listening.next().await, Some(Change::Tools));
        assert_eq!(
            listening.next().await,
            Some(Change::Resource("n:///a".into()))
        );
        changes.resource("n:///a/part");
        assert_eq!(
            listening.next().await,
            Some(Change::Resource("n:///a/part".into()))
        );
        for n in 0..10_000 {
            changes.resource(format!("n:///a/{n}"));
        }
        hub.close();
        assert_eq!(listening.next().await, None);
        assert!(listening.subscription.waiting() <= 257);
        drop(listening);
        assert_eq!(changes.listeners(), 0);
    }

    #[cfg(feature = "legacy")]
    #[tokio::test]
    async fn a_session_watches_one_resource_after_the_other_and_takes_nobodys_place() {
        let (hub, changes) = hub();
        let session = hub.follow(Filter::default());
        assert!(hub.listen(Filter::default(), None, 1).is_some());
        changes.resource("n:///a");
        assert!(session.watch("n:///a", 2) && session.watch("n:///b", 2));
        assert!(session.watch("n:///a", 2), "it is watched already");
        assert!(!session.watch("n:///c", 2), "two are enough");
        for uri in ["n:///a", "n:///b", "n:///c"] {
            changes.resource(uri);
        }
        session.unwatch("n:///a");
        assert_eq!(
            session.next().await,
            Some(Change::Resource("n:///b".into()))
        );
        assert_eq!(session.subscription.waiting(), 0);
        assert!(session.watch("n:///c", 2), "there is room again");
    }

    #[test]
    fn one_caller_does_not_take_all_places() {
        let (hub, _) = hub();
        let caller = |name| Principal::new("https://issuer.example", name).unwrap();
        let listen = |caller: &Principal| hub.listen(Filter::default(), Some(caller), 1000);
        let (ada, bob) = (caller("ada"), caller("bob"));
        let mut open: Vec<_> = (0..64).map(|_| listen(&ada).unwrap()).collect();
        assert!(listen(&ada).is_none());
        assert!(listen(&bob).is_some());
        open.pop();
        assert!(listen(&ada).is_some());
        let strangers: Vec<_> = (0..100)
            .map(|_| hub.listen(Filter::default(), None, 1000).unwrap())
            .collect();
        assert_eq!(strangers.len(), 100, "they are not one caller");
    }

    #[tokio::test]
    async fn who_waits_is_woken() {
        let (hub, changes) = hub();
        let listening = hub.listen(uris(&["n:///a"]), None, 9).unwrap();
        let waiting = tokio::spawn(async move { listening.next().await });
        tokio::task::yield_now().await;
        changes.resource("n:///a");
        assert_eq!(
            waiting.await.unwrap(),
            Some(Change::Resource("n:///a".into()))
        );
    }
}
