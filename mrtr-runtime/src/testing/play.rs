//! Playing a script against a server, round by round, and everything that can fail a test on the way.

use std::panic::Location;

use mrtr_core::ident::FlowId;
use serde_json::{Map, Value, json};

use crate::observe::Outcome;
use crate::server::Endpoint;

use super::client::Client;
use super::observed::{Observed, ObservedKind};
use super::question::Question;
use super::script::{Answers, Said};
use super::scripted::Scripted;
use super::stance::Stance;
use super::tally::Tally;
use super::transcript::{End, RoundAsked, Transcript};
use super::wire::{self, Came};
use super::{faults, stable};

/// A script being played.
pub(super) struct Play {
    pub(super) client: Client,
    pub(super) method: &'static str,
    pub(super) stance: Stance,
    pub(super) script: Answers,
    twice: bool,
    at: &'static Location<'static>,
    pub(super) flow: Option<FlowId>,
    /// The request's params, without answers and state.
    pub(super) params: Value,
    /// What was said in the round before, for questions that come again.
    pub(super) said: Vec<(String, Said)>,
    /// How many effects there were before the call.
    before: usize,
    pub(super) transcript: Transcript,
}

impl Play {
    pub(super) fn new(call: Scripted) -> Self {
        let Scripted {
            client,
            method,
            tool,
            arguments,
            script,
            twice,
            at,
        } = call;
        Self {
            params: match method {
                wire::RESOURCE => json!({ "uri": tool }),
                _ => json!({ "name": tool, "arguments": arguments }),
            },
            method,
            transcript: Transcript::new(tool),
            stance: client.stance.clone(),
            client,
            script,
            twice,
            at,
            flow: None,
            before: 0,
            said: Vec::new(),
        }
    }

    pub(super) async fn run(mut self) -> Transcript {
        self.before = self.client.tally.as_ref().map_or(0, Tally::count);
        #[cfg(feature = "legacy")]
        if self.stance.era.has_sessions() {
            return self.run_in_session().await;
        }
        let mut params = self.params.clone();
        loop {
            match self.send(&params).await {
                Came::Asked { questions, state } => {
                    self.check_effects(&questions);
                    if self.twice {
                        self.run_again(&questions, &state).await;
                    }
                    self.transcript
                        .rounds
                        .push(RoundAsked::new(questions, &state));
                    let Some(responses) = self.responses() else {
                        self.transcript.end = End::Left;
                        return self.finish();
                    };
                    params = next(&self.params, &state, responses);
                }
                ended => self.transcript.end = ended.into_end(),
            }
            if !matches!(self.transcript.end, End::Open) {
                return self.finish();
            }
        }
    }

    /// Sends the request of a round and takes down what comes with its response.
    async fn send(&mut self, params: &Value) -> Came {
        let (received, exchange) = self.client.send_to(self.method, &self.stance, params).await;
        self.flow = self.flow.or(exchange.flow());
        let observed = self.client.lab.take(&exchange, self.flow);
        self.check_invalid(&observed);
        self.transcript.observed.extend(observed);
        self.transcript.notifications.extend(received.notifications);
        received.came
    }

    /// Nothing may happen in a round that ends in a question: it would happen in each round.
    pub(super) fn check_effects(&self, questions: &[Question]) {
        let effects = self.effects().unwrap_or_default();
        if !effects.is_empty() {
            let number = self.transcript.rounds.len() + 1;
            self.fail(&faults::effect_above_ask(
                &self.transcript.tool,
                number,
                questions,
                &effects,
            ));
        }
    }

    /// An answer that the script calls invalid must not be taken.
    pub(super) fn check_invalid(&self, observed: &[Observed]) {
        for (key, said) in &self.said {
            let Said::Invalid(content) = said else {
                continue;
            };
            if outcome(observed, key) == Some(Outcome::Accepted) {
                self.fail(&faults::invalid_was_taken(
                    &self.transcript.tool,
                    key,
                    content,
                ));
            }
        }
    }

    /// Runs the round again: with its state and without answers, so that the same is still open.
    async fn run_again(&self, questions: &[Question], state: &str) {
        let sent = self.transcript.rounds.len() + 1;
        let endpoint = self.stance.fleet.endpoint(self.stance.instance);
        let limit = rounds(&endpoint, self.method, &self.transcript.tool);
        // The last round that may ask has none after it to run again in.
        if limit.is_some_and(|limit| sent + 1 >= usize::from(limit)) {
            return;
        }
        let params = next(&self.params, state, Map::new());
        let sending = self.client.send_to(self.method, &self.stance, &params);
        let (again, exchange) = sending.await;
        self.client.lab.take(&exchange, self.flow);
        if let Err(difference) = stable::compare(questions, &again.came) {
            self.fail(&difference);
        }
        self.check_effects(questions);
    }

    /// The answers to the questions of the last round; `None` when the user walks away.
    fn responses(&mut self) -> Option<Map<String, Value>> {
        let questions = self.transcript.rounds.last()?.questions.clone();
        let before = std::mem::take(&mut self.said);
        let mut steps = Vec::with_capacity(questions.len());
        for question in &questions {
            let Some((at, said)) = self.script.take(question.key()) else {
                self.unscripted(question, &before)
            };
            if matches!(said, Said::Leave) {
                return None;
            }
            steps.push(at);
            self.said.push((question.key().to_owned(), said));
        }
        let last = steps.iter().copied().max().unwrap_or(0);
        for change in self.script.changes_before(last) {
            self.transcript.says(&change);
            self.stance.apply(&change, &self.client.lab);
        }
        for at in steps {
            self.transcript.answers(&self.script.0[at]);
        }
        let member = |(key, said): &(String, Said)| Some((key.clone(), said.response()?));
        let responses: Map<_, _> = self.said.iter().filter_map(member).collect();
        self.transcript.rounds.last_mut()?.responses = responses.clone();
        Some(responses)
    }

    pub(super) fn unscripted(&self, question: &Question, before: &[(String, Said)]) -> ! {
        let tool = &self.transcript.tool;
        let answered = before
            .iter()
            .any(|(key, said)| key == question.key() && !matches!(said, Said::Silent));
        let outcome = answered
            .then(|| outcome(&self.transcript.observed, question.key()))
            .flatten();
        self.fail(&faults::unscripted(tool, question, outcome))
    }

    /// Everything that the script says must have been said.
    pub(super) fn finish(mut self) -> Transcript {
        if let Some(step) = self.script.left().next() {
            self.fail(&faults::never_asked(&self.transcript, step));
        }
        self.transcript.effects = self.effects();
        self.transcript
    }

    /// What happened since the call began, if somebody counts.
    fn effects(&self) -> Option<Vec<String>> {
        let tally = self.client.tally.as_ref()?;
        Some(tally.since(self.before))
    }

    pub(super) fn fail(&self, text: &str) -> ! {
        panic!("{text}\n{}test: {}", self.transcript.so_far(), self.at)
    }
}

/// The params of a request that goes on with a call.
pub(super) fn next(params: &Value, state: &str, responses: Map<String, Value>) -> Value {
    let mut params = params.clone();
    params["inputResponses"] = Value::Object(responses);
    params["requestState"] = state.into();
    params
}

/// What the last round made of an answer: the question itself is asked after that.
fn outcome(observed: &[Observed], wanted: &str) -> Option<Outcome> {
    observed
        .iter()
        .rev()
        .find_map(|observed| match &observed.kind {
            ObservedKind::Ask { key, outcome } if key == wanted && *outcome != Outcome::Asked => {
                Some(*outcome)
            }
            _ => None,
        })
}

/// How many rounds a flow of this handler may take.
fn rounds(endpoint: &Endpoint, method: &str, name: &str) -> Option<u8> {
    let server = &endpoint.0;
    let handler = match method {
        wire::PROMPT => server.prompts.get(name).map(|prompt| &prompt.handler),
        wire::RESOURCE => server.resources.find(name).map(|(handler, _)| handler),
        _ => server.tool(name),
    };
    handler.map(|handler| handler.limits.rounds)
}
