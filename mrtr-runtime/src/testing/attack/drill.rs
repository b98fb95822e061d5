//! Carrying out the moves of an attack.

use std::panic::Location;
use std::time::Duration;

use futures_util::future::{join, join_all};
use mrtr_core::ident::FlowId;
use mrtr_core::limits::Limits;
use serde_json::{Map, Value, json};

use crate::testing::client::Client;
use crate::testing::observed::ObservedKind;
use crate::testing::play::next;
use crate::testing::script::Answers;
use crate::testing::scripted::Scripted;
use crate::testing::stance::{Stance, user};
use crate::testing::tally::Tally;
use crate::testing::wire::Came;

use super::moves::{Bound, Move};
use super::tamper;

/// How long a run whose client has gone is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// An honest call, known by heart, and what is needed to abuse it.
pub(super) struct Drill<'a> {
    client: &'a Client,
    stance: Stance,
    /// The params of the call, without answers and state.
    params: Value,
    /// The answers of the honest call, round by round.
    answers: Vec<Map<String, Value>>,
    last_yes: Option<String>,
    limits: Limits,
    commits: bool,
    has_store: bool,
    other_tools: Vec<String>,
    /// How many effects the honest call had.
    pub(super) per_call: usize,
}

/// What a move came to, beside its effects.
pub(super) enum Tried {
    /// What was to be expected.
    Done,
    /// A reply that should not be.
    Odd(String),
    /// It does not apply.
    Skipped(String),
}

/// The way to a round that waits for its answers.
struct Brink {
    state: String,
    flow: Option<FlowId>,
}

impl<'a> Drill<'a> {
    /// Plays the honest call and learns it.
    pub(super) async fn prepare(
        client: &'a Client,
        tool: &str,
        arguments: &Value,
        answers: &Answers,
        effects: &Tally<'_>,
        at: &'static Location<'static>,
    ) -> Self {
        let before = effects.count();
        let honest = Scripted {
            client: client.clone(),
            tool: tool.to_owned(),
            arguments: arguments.clone(),
            script: answers.clone(),
            twice: true,
            at,
        }
        .await;
        let per_call = effects.count().saturating_sub(before);
        assert!(
            !honest.rounds.is_empty(),
            "the tool `{tool}` asked nothing, so there is nothing to attack\n{honest}\ntest: {at}"
        );
        assert!(
            per_call > 0,
            "the honest call had no effect, so an attack would show nothing\n{honest}\n\
             help: let the closure count what this very server does: give both the same desk\ntest: {at}"
        );
        let endpoint = client.stance.fleet.endpoint(client.stance.instance);
        let registered = endpoint
            .0
            .tool(tool)
            .expect("invariant: it has just been called");
        let names = endpoint.0.tools.keys().filter(|name| **name != tool);
        let mut other_tools: Vec<_> = names.map(|name| (*name).to_owned()).collect();
        other_tools.sort();
        Self {
            client,
            stance: client.stance.clone(),
            params: json!({ "name": tool, "arguments": arguments }),
            answers: honest
                .rounds
                .into_iter()
                .map(|round| round.responses)
                .collect(),
            last_yes: answers.last_yes().map(str::to_owned),
            limits: registered.limits.clone(),
            commits: registered.tool.commits,
            has_store: endpoint.0.shared.flows.is_some(),
            other_tools,
            per_call,
        }
    }

    /// Why nobody promised that a move holds.
    pub(super) fn excuse(&self, what: Move) -> Option<&'static str> {
        match what.bound() {
            bound if !bound.needs_store() => None,
            _ if !self.commits => Some("the tool has no `#[commit]`"),
            _ if !self.has_store => Some("the server has no flow store"),
            _ => None,
        }
    }

    /// How many effects there should have been.
    pub(super) fn wanted(&self, what: Move) -> String {
        match what.bound() {
            Bound::None | Bound::NoneLater => "there must be none".to_owned(),
            Bound::Once => format!("there must be at most {}", self.per_call),
            Bound::Exactly => format!("there must be {}", self.per_call),
        }
    }

    pub(super) async fn attempt(&self, what: Move) -> Tried {
        match what {
            Move::FirstShot => self.first_shot().await,
            Move::SaidNo => self.said_no().await,
            Move::ChangedArguments => self.changed_arguments().await,
            Move::OtherUser => self.other_user().await,
            Move::OtherTool => self.other_tool().await,
            Move::FlippedState => {
                let state = self.last().await.state;
                self.all_refused(tamper::flipped(&state)).await
            }
            Move::TruncatedState => {
                let state = self.last().await.state;
                self.all_refused(tamper::truncated(&state)).await
            }
            Move::Expired => self.expired().await,
            Move::Late => self.late().await,
            Move::AtOnce => self.at_once().await,
            Move::EarlierRound => self.earlier_round().await,
            Move::Fork => self.fork().await,
            Move::YesAfterNo => self.yes_after_no().await,
            Move::Disconnect => self.disconnect().await,
        }
    }

    async fn first_shot(&self) -> Tried {
        let members = self.answers.iter().flatten();
        let all: Map<_, _> = members
            .map(|(key, answer)| (key.clone(), answer.clone()))
            .collect();
        let mut params = self.params.clone();
        params["inputResponses"] = Value::Object(all.clone());
        self.send(&params).await;
        if self.answers.len() > 1 {
            let Brink { state, .. } = self.brink(0).await;
            self.send(&next(&self.params, &state, all)).await;
        }
        Tried::Done
    }

    async fn said_no(&self) -> Tried {
        let Some((round, key)) = self.last_yes() else {
            return Tried::Skipped("the script has no `.yes(..)`".into());
        };
        let Brink { state, .. } = self.brink(round).await;
        self.decline(round, key, &state).await;
        Tried::Done
    }

    async fn yes_after_no(&self) -> Tried {
        let Some((round, key)) = self.last_yes() else {
            return Tried::Skipped("the script has no `.yes(..)`".into());
        };
        let Brink { state, .. } = self.brink(round).await;
        if let Came::Asked { .. } = self.decline(round, key, &state).await {
            return Tried::Skipped("the call goes on after the no".into());
        }
        self.play_on(&state, round).await;
        Tried::Done
    }

    /// The round that asks for the last yes, and its key.
    fn last_yes(&self) -> Option<(usize, &str)> {
        let key = self.last_yes.as_deref()?;
        let mut rounds = self.answers.iter();
        let round = rounds.rposition(|answers| answers.contains_key(key))?;
        Some((round, key))
    }

    async fn decline(&self, round: usize, key: &str, state: &str) -> Came {
        let mut answers = self.answers[round].clone();
        answers.insert(key.to_owned(), json!({ "action": "decline" }));
        self.send(&next(&self.params, state, answers)).await
    }

    async fn changed_arguments(&self) -> Tried {
        let Brink { state, .. } = self.last().await;
        for arguments in tamper::arguments(&self.params["arguments"]) {
            let mut params = self.last_request(&state);
            params["arguments"] = arguments;
            if let Some(odd) = refused(&self.send(&params).await) {
                return odd;
            }
        }
        Tried::Done
    }

    async fn other_user(&self) -> Tried {
        let Brink { state, .. } = self.last().await;
        let mut others = vec![Some(user("mallory"))];
        if self.stance.principal.is_some() {
            others.push(None);
        }
        for principal in others {
            let stance = Stance {
                principal,
                ..self.stance.clone()
            };
            let (received, _) = self.client.send(&stance, &self.last_request(&state)).await;
            if let Some(odd) = refused(&received.came) {
                return odd;
            }
        }
        Tried::Done
    }

    async fn other_tool(&self) -> Tried {
        if self.other_tools.is_empty() {
            return Tried::Skipped("the server has no other tool".into());
        }
        let Brink { state, .. } = self.last().await;
        for tool in &self.other_tools {
            let mut params = self.last_request(&state);
            params["name"] = tool.as_str().into();
            if let Some(odd) = refused(&self.send(&params).await) {
                return odd;
            }
        }
        Tried::Done
    }

    async fn all_refused(&self, states: impl Iterator<Item = String>) -> Tried {
        for state in states {
            if let Some(odd) = refused(&self.send(&self.last_request(&state)).await) {
                return odd;
            }
        }
        Tried::Done
    }

    async fn expired(&self) -> Tried {
        let Brink { state, .. } = self.last().await;
        self.client
            .lab
            .advance(Duration::from_millis(self.limits.flow));
        let came = self.send(&self.last_request(&state)).await;
        refused(&came).unwrap_or(Tried::Done)
    }

    async fn late(&self) -> Tried {
        if self.limits.round >= self.limits.flow {
            return Tried::Skipped("a round lasts as long as its flow".into());
        }
        let Brink { state, .. } = self.last().await;
        self.client
            .lab
            .advance(Duration::from_millis(self.limits.round));
        match self.send(&self.last_request(&state)).await {
            Came::Asked { .. } => Tried::Done,
            // An earlier round may have used up the flow's time by now.
            came => refused(&came).unwrap_or(Tried::Done),
        }
    }

    async fn at_once(&self) -> Tried {
        let Brink { state, .. } = self.last().await;
        let request = self.last_request(&state);
        join_all((0..5).map(|_| self.send(&request))).await;
        Tried::Done
    }

    async fn earlier_round(&self) -> Tried {
        let Brink { state, .. } = self.brink(0).await;
        self.play_on(&state, 0).await;
        self.play_on(&state, 0).await;
        Tried::Done
    }

    async fn fork(&self) -> Tried {
        let Brink { state, .. } = self.brink(0).await;
        join(self.play_on(&state, 0), self.play_on(&state, 0)).await;
        Tried::Done
    }

    async fn disconnect(&self) -> Tried {
        if !self.commits {
            return Tried::Skipped("the tool has no `#[commit]` that would go on".into());
        }
        let Brink { state, flow } = self.last().await;
        let flow = flow.expect("invariant: a call without a state starts a flow");
        let lab = &self.client.lab;
        let request = self.last_request(&state);
        tokio::select! {
            biased;
            () = lab.told(flow, |observed| observed.kind == ObservedKind::Committed) => {}
            _ = self.send(&request) => {}
        }
        let ended = lab.told(flow, |observed| {
            matches!(observed.kind, ObservedKind::Ended(_))
        });
        match tokio::time::timeout(PATIENCE, ended).await {
            Ok(()) => Tried::Done,
            Err(_) => Tried::Odd(format!("the run had not ended after {PATIENCE:?}")),
        }
    }

    /// The final round of a new call, waiting for its answers.
    async fn last(&self) -> Brink {
        self.brink(self.answers.len() - 1).await
    }

    /// The request of the final round.
    fn last_request(&self, state: &str) -> Value {
        let answers = self.answers.last().expect("invariant: something was asked");
        next(&self.params, state, answers.clone())
    }

    /// A new call, played up to a round that waits for its answers.
    async fn brink(&self, round: usize) -> Brink {
        let (received, exchange) = self.client.send(&self.stance, &self.params).await;
        let mut state = asked(received.came);
        for answers in &self.answers[..round] {
            state = asked(
                self.send(&next(&self.params, &state, answers.clone()))
                    .await,
            );
        }
        Brink {
            state,
            flow: exchange.flow(),
        }
    }

    /// Plays on from a round to whatever end.
    async fn play_on(&self, state: &str, round: usize) {
        let mut state = state.to_owned();
        for answers in &self.answers[round..] {
            match self
                .send(&next(&self.params, &state, answers.clone()))
                .await
            {
                Came::Asked { state: new, .. } => state = new,
                _ => return,
            }
        }
    }

    async fn send(&self, params: &Value) -> Came {
        self.client.send(&self.stance, params).await.0.came
    }
}

/// What is wrong with a reply that should be a refusal.
fn refused(came: &Came) -> Option<Tried> {
    match came {
        Came::Failed(_) => None,
        Came::Asked { .. } => Some(Tried::Odd(
            "the server went on to ask instead of refusing".into(),
        )),
        Came::Complete(result) => Some(Tried::Odd(format!("the server answered {result}"))),
        Came::Nothing => Some(Tried::Odd("the server gave no response".into())),
    }
}

/// The state of a round that asks, as the honest call did.
fn asked(came: Came) -> String {
    match came {
        Came::Asked { state, .. } => state,
        Came::Complete(other) | Came::Failed(other) => panic!(
            "the same call does not go the same way twice: it was asked before, and now it ended \
             with {other}\nhelp: give the attack a server and a desk of its own, that one call does \
             not change for the next"
        ),
        Came::Nothing => panic!("the server gave no response to a request that it asked on before"),
    }
}
