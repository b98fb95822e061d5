//! Carrying out the moves of an attack.

use std::time::Duration;

use futures_util::future::{join, join_all};
use serde_json::{Map, Value};

use crate::testing::observed::ObservedKind;
use crate::testing::play::next;
use crate::testing::stance::{Stance, user};
use crate::testing::tree::Tree;
use crate::testing::wire::Came;

use super::honest::{Brink, Honest};
use super::moves::{Bound, Move};
use super::tamper;

/// How long a run whose client has gone is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a move came to, beside its effects.
pub(super) enum Tried {
    /// What was to be expected.
    Done,
    /// A reply that should not be.
    Odd(String),
    /// It does not apply.
    Skipped(String),
}

impl Honest<'_> {
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
            Bound::Once => format!("there must be at most {}", self.effects),
            Bound::Exactly => format!("there must be {}", self.effects),
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
            Came::Complete(result) if result.get("isError") != Some(&Tree::Bool(true)) => {
                Tried::Odd(format!("the server took the answers: {result}"))
            }
            _ => Tried::Done,
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
