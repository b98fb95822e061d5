//! An honest call, known by heart: what every attack starts from and goes on with.

use std::panic::Location;

use mrtr_core::ident::FlowId;
use mrtr_core::limits::Limits;
use serde_json::{Map, Value, json};

use crate::testing::client::Client;
use crate::testing::play::next;
use crate::testing::script::Answers;
use crate::testing::scripted::Scripted;
use crate::testing::stance::Stance;
use crate::testing::tally::Tally;
use crate::testing::wire::{self, Came};

/// An honest call, known by heart, and what is needed to abuse it.
pub(super) struct Honest<'a> {
    pub(super) client: &'a Client,
    pub(super) stance: Stance,
    /// The params of the call, without answers and state.
    pub(super) params: Value,
    /// The answers, round by round.
    pub(super) answers: Vec<Map<String, Value>>,
    last_yes: Option<String>,
    pub(super) limits: Limits,
    pub(super) commits: bool,
    pub(super) has_store: bool,
    pub(super) other_tools: Vec<String>,
    /// How many effects it had.
    pub(super) effects: usize,
}

/// The way to a round that waits for its answers.
pub(super) struct Brink {
    pub(super) state: String,
    pub(super) flow: Option<FlowId>,
}

impl<'a> Honest<'a> {
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
            method: wire::TOOL,
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
            commits: registered.handler.commits,
            has_store: endpoint.0.shared.flows.is_some(),
            other_tools,
            effects: per_call,
        }
    }

    /// The final round of a new call, waiting for its answers.
    pub(super) async fn last(&self) -> Brink {
        self.brink(self.answers.len() - 1).await
    }

    /// The request of the final round.
    pub(super) fn last_request(&self, state: &str) -> Value {
        let answers = self.answers.last().expect("invariant: something was asked");
        next(&self.params, state, answers.clone())
    }

    /// A new call, played up to a round that waits for its answers.
    pub(super) async fn brink(&self, round: usize) -> Brink {
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
    pub(super) async fn play_on(&self, state: &str, round: usize) {
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

    pub(super) async fn send(&self, params: &Value) -> Came {
        self.client.send(&self.stance, params).await.0.came
    }

    /// The round that asks for the last yes, and its key.
    pub(super) fn last_yes(&self) -> Option<(usize, &str)> {
        let key = self.last_yes.as_deref()?;
        let mut rounds = self.answers.iter();
        let round = rounds.rposition(|answers| answers.contains_key(key))?;
        Some((round, key))
    }

    pub(super) async fn decline(&self, round: usize, key: &str, state: &str) -> Came {
        let mut answers = self.answers[round].clone();
        answers.insert(key.to_owned(), json!({ "action": "decline" }));
        self.send(&next(&self.params, state, answers)).await
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
