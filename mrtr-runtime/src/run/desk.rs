//! A desk for the tests of runs: one tool, a clock that stands still, and what was observed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mrtr_core::capability::Capabilities;
use mrtr_core::digest::params_digest;
use mrtr_core::keyring::{Key, KeyRing};
use mrtr_core::limits::Limits;
use mrtr_core::round::Round;
use mrtr_core::seal::{Realm, Sealer, Sealing};
use mrtr_core::state::Root;
use mrtr_core::url::UrlPolicy;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{Ended, Execution, Run, execute};
use crate::call::{Call, CallData};
use crate::client::ClientCapabilities;
use crate::flow::FlowStore;
use crate::handler::{Handler, Output};
use crate::notify::Notifier;
use crate::observe::{Event, EventKind};
use crate::shared::{Shared, States};
use crate::tool::Tool;
use crate::world::{NoEntropy, World};

pub(super) const YES: &str = r#"{"action":"accept","content":{"ok":true}}"#;
pub(super) const NO: &str = r#"{"action":"decline"}"#;
pub(super) const ADA: &str = r#"{"action":"accept","content":{"value":"Ada"}}"#;

/// A world whose clock stands still, and whose random bytes count: no two claims have one id.
#[derive(Default)]
struct Still(AtomicUsize);

impl World for Still {
    fn now(&self) -> u64 {
        1_780_000_000_000
    }

    fn random(&self, buffer: &mut [u8]) -> Result<(), NoEntropy> {
        buffer.fill(self.0.fetch_add(1, Ordering::SeqCst) as u8);
        Ok(())
    }
}

/// A client that shows forms.
pub(super) const FORMS: ClientCapabilities = ClientCapabilities(Capabilities {
    form: true,
    ..Capabilities::NONE
});

/// One tool on a desk of its own: what it did, and what was observed.
pub(super) struct Desk {
    pub(super) handler: Arc<Handler>,
    pub(super) shared: Arc<Shared>,
    pub(super) client: ClientCapabilities,
    pub(super) time_limit: Duration,
    pub(super) seen: Arc<std::sync::Mutex<Vec<String>>>,
}

impl Desk {
    pub(super) fn new(tool: Tool) -> Self {
        Self::of(tool, None)
    }

    /// The same with a flow store.
    pub(super) fn with_store(tool: Tool, store: impl FlowStore) -> Self {
        Self::of(tool, Some(Arc::new(store)))
    }

    fn of(tool: Tool, flows: Option<Arc<dyn FlowStore>>) -> Self {
        let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        let key = Key::from_bytes(&std::array::from_fn::<u8, 32, _>(|i| i as u8)).unwrap();
        let shared = Shared {
            realm: Realm::new("test"),
            limits: Limits::default(),
            urls: UrlPolicy::default(),
            sealer: Sealer::new(KeyRing::new([key]).unwrap(), Sealing::Sealed),
            states: States::default(),
            observers: vec![Arc::new(move |event: &Event<'_>| {
                if let EventKind::Ask { key, outcome } = &event.kind {
                    log.lock().unwrap().push(format!("{key} {outcome:?}"));
                } else {
                    log.lock().unwrap().push(format!("{:?}", event.kind));
                }
            })],
            world: Arc::<Still>::default(),
            info: None,
            scope: crate::resource::CacheScope::Public,
            flows,
            waiting: Arc::default(),
            hard_limit: Duration::from_secs(600),
            thing_ttl: Duration::from_secs(86_400),
            lost: CancellationToken::new(),
            tasks: TaskTracker::new(),
        };
        Self {
            handler: Arc::new(tool.handler),
            shared: Arc::new(shared),
            client: FORMS,
            time_limit: Duration::from_secs(40),
            seen,
        }
    }

    /// The public id of the flow that a state belongs to.
    pub(super) async fn flow_id(&self, state: &str) -> mrtr_core::ident::FlowId {
        let execution = self.execution(Some(state), &[]).await;
        execution.expect("the state opens").call.flow_id()
    }

    /// `None` when the state does not open.
    pub(super) async fn execution(
        &self,
        state: Option<&str>,
        answers: &[(&str, &str)],
    ) -> Option<Execution> {
        self.execution_of(3, state, answers).await
    }

    /// The same, where a new flow has a root of these bytes.
    async fn execution_of(
        &self,
        root: u8,
        state: Option<&str>,
        answers: &[(&str, &str)],
    ) -> Option<Execution> {
        let limits = self.shared.limits.clone();
        let now = self.shared.world.now();
        let epoch = match &self.shared.flows {
            Some(flows) if self.handler.commits => Some(flows.epoch().await.unwrap()),
            _ => None,
        };
        let digest = params_digest("{}", 64).unwrap();
        let bytes = epoch.as_ref().map(|epoch| &epoch.0);
        let bind = self.shared.realm.bind(bytes, None, "tools/call", &digest);
        let mut round = match state {
            None => Round::first(Root([root; 16]), now, limits),
            Some(text) => {
                let opened = self.shared.sealer.open(text, &bind, now, 10, 16_384);
                Round::resume(opened.ok()?, limits)
            }
        };
        round.take_answers(answers.iter().copied(), false);
        let call = Call(Arc::new(CallData {
            kind: self.handler.kind,
            handler: self.handler.name.into(),
            arguments: None,
            uri: None,
            answered: !answers.is_empty(),
            meta: None,
            principal: None,
            #[cfg(feature = "http")]
            parts: None,
            root: *round.root(),
            round: round.number(),
            start: round.start(),
            notifier: Notifier::none(),
            cancelled: OnceLock::new(),
            shared: Arc::clone(&self.shared),
        }));
        Some(Execution {
            handler: Arc::clone(&self.handler),
            call,
            run: Arc::new(Run::new(round, None, None)),
            client: self.client,
            bind,
            epoch,
            time_limit: self.time_limit,
            commit_limit: Duration::from_secs(1),
            permit: None,
        })
    }

    pub(super) async fn try_round(
        &self,
        state: Option<&str>,
        answers: &[(&str, &str)],
    ) -> Option<Ended> {
        Some(execute(self.execution(state, answers).await?).await)
    }

    pub(super) async fn round(&self, state: Option<&str>, answers: &[(&str, &str)]) -> Ended {
        self.try_round(state, answers)
            .await
            .expect("the state opens")
    }

    /// Whether nothing keeps the run once it is over.
    pub(super) async fn leaves_nothing(
        &self,
        state: Option<&str>,
        answers: &[(&str, &str)],
    ) -> bool {
        let execution = self
            .execution(state, answers)
            .await
            .expect("the state opens");
        let run = Arc::downgrade(&execution.run);
        execute(execution).await;
        run.upgrade().is_none()
    }

    /// What a round comes to on the wire.
    pub(super) async fn bytes(&self, state: Option<&str>, answers: &[(&str, &str)]) -> String {
        let ended = self.round(state, answers).await;
        let mut out = Vec::new();
        self.shared.write(&mut out, &ended);
        String::from_utf8(out).unwrap()
    }

    /// Leaves the flow as an instance does that was killed in its effect.
    pub(super) async fn vanished_holder(
        &self,
        store: &impl FlowStore,
        state: &str,
        answers: &[(&str, &str)],
    ) {
        let execution = self.execution(Some(state), answers).await.unwrap();
        let settlement = execution.settlement().unwrap();
        let Ok(hold) = settlement.claim().await else {
            panic!("the flow is free")
        };
        let (flow, id) = hold.claim();
        store.mark_lost(flow, id).await.unwrap();
    }

    /// The keys asked in a first round, and the state.
    pub(super) async fn first(&self) -> (Vec<String>, String) {
        asked(self.round(None, &[]).await)
    }

    /// The state of another flow, with a root of these bytes.
    pub(super) async fn first_of(&self, root: u8) -> String {
        let execution = self.execution_of(root, None, &[]).await;
        let ended = execute(execution.expect("nothing to open")).await;
        asked(ended).1
    }
}

pub(super) fn asked(ended: Ended) -> (Vec<String>, String) {
    match ended {
        Ended::Asked { questions, state } => (
            questions
                .iter()
                .map(|question| question.key.to_string())
                .collect(),
            state,
        ),
        other => panic!("not asked: {other:?}"),
    }
}

pub(super) fn text(ended: Ended) -> String {
    match ended {
        Ended::Recorded(member) => {
            let whole = format!("{{{}}}", std::str::from_utf8(&member).unwrap());
            let value: serde_json::Value = serde_json::from_str(&whole).unwrap();
            value["result"]["content"][0]["text"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        }
        Ended::Complete(Output::Tool(result)) => serde_json::to_value(&result.content).unwrap()[0]
            ["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        other => panic!("not complete: {other:?}"),
    }
}
