//! What came out of a call: its rounds, its end, and what was seen on the way.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::faults;
use super::observed::Observed;
use super::plan::Plan;
use super::question::Question;
use super::script::{Said, Step};
use super::tree::Tree;

/// What came out of a call. Displayed, it is the dialogue.
#[derive(Clone)]
pub struct Transcript {
    pub(super) tool: String,
    pub(super) rounds: Vec<RoundAsked>,
    pub(super) end: End,
    pub(super) observed: Vec<Observed>,
    pub(super) notifications: Vec<Tree>,
    /// The effects, if somebody counts them.
    pub(super) effects: Option<Vec<String>>,
}

/// A round that ended in questions.
#[derive(Clone)]
pub(super) struct RoundAsked {
    pub(super) questions: Vec<Question>,
    /// The members of `inputResponses` that answered them.
    pub(super) responses: Map<String, Value>,
    state_chars: usize,
    /// What was said to the questions, as the lines of the test.
    said: Vec<String>,
    /// Those of them that were a no.
    refused: Vec<String>,
}

impl RoundAsked {
    pub(super) fn new(questions: Vec<Question>, state: &str) -> Self {
        Self {
            questions,
            responses: Map::new(),
            state_chars: state.chars().count(),
            said: Vec::new(),
            refused: Vec::new(),
        }
    }
}

/// How a call ended.
#[derive(Clone)]
pub(super) enum End {
    /// Not yet.
    Open,
    /// The user walked away.
    Left,
    /// With this result.
    Complete(Tree),
    /// With this JSON-RPC error.
    Failed(Tree),
    /// Without a response.
    Nothing,
}

impl Transcript {
    pub(super) fn new(tool: String) -> Self {
        Self {
            tool,
            rounds: Vec::new(),
            end: End::Open,
            observed: Vec::new(),
            notifications: Vec::new(),
            effects: None,
        }
    }

    /// Takes down a line of the test that went into the last round.
    pub(super) fn says(&mut self, line: &impl fmt::Display) {
        if let Some(round) = self.rounds.last_mut() {
            round.said.push(line.to_string());
        }
    }

    /// Takes down what was said to a question.
    pub(super) fn answers(&mut self, step: &Step) {
        self.says(step);
        let no = match step {
            Step::Says { said, .. } => matches!(said, Said::No | Said::Decline | Said::Cancel),
            Step::Changes { .. } => false,
        };
        if let Some(round) = self.rounds.last_mut().filter(|_| no) {
            round.refused.push(format!("`{step}`"));
        }
    }

    /// The lines of the test that said no.
    pub(super) fn refused(&self) -> Vec<String> {
        self.rounds
            .iter()
            .flat_map(|round| round.refused.clone())
            .collect()
    }

    /// The structured content of the result.
    ///
    /// # Panics
    /// When the call has no structured result, or it is another type.
    #[track_caller]
    #[must_use]
    pub fn json<T: DeserializeOwned>(&self) -> T {
        let End::Complete(result) = &self.end else {
            panic!("the call has no result\n{self}")
        };
        let Some(content) = result.get("structuredContent") else {
            panic!("the result is text only; `.text()` gives it\n{self}")
        };
        match serde_json::from_str(&content.to_string()) {
            Ok(value) => value,
            Err(error) => panic!(
                "the result is no `{}`: {error}\n  {content}\n{self}",
                std::any::type_name::<T>()
            ),
        }
    }

    /// The text of the result, blocks separated by line feeds; of a JSON-RPC error, its message.
    /// Nothing if the call is open.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.end {
            End::Complete(result) => {
                let parts = ["content", "messages", "contents"].iter();
                let parts = parts
                    .filter_map(|name| result.get(name))
                    .flat_map(Tree::items);
                // A message of a prompt has its block inside.
                let texts = parts.filter_map(|part| {
                    let block = part.get("content").unwrap_or(part);
                    block.get("text")?.as_str()
                });
                texts.collect::<Vec<_>>().join("\n")
            }
            End::Failed(error) => error.text("message").to_owned(),
            End::Open | End::Left | End::Nothing => String::new(),
        }
    }

    /// Whether the call failed: a result that tells of a failure, or a JSON-RPC error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        match &self.end {
            End::Complete(result) => result.get("isError") == Some(&Tree::Bool(true)),
            End::Failed(_) => true,
            End::Open | End::Left | End::Nothing => false,
        }
    }

    /// The code of the JSON-RPC error that the call ended with.
    #[must_use]
    pub fn error_code(&self) -> Option<i64> {
        match &self.end {
            End::Failed(error) => error.get("code")?.number(),
            _ => None,
        }
    }

    /// Whether the user walked away from an open question.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self.end, End::Left)
    }

    /// The round plan: the keys of the questions that went out together, round by round.
    #[must_use]
    pub fn asked(&self) -> Plan {
        let keys = |round: &RoundAsked| {
            let keys = round
                .questions
                .iter()
                .map(|question| question.key().to_owned());
            keys.collect()
        };
        Plan(self.rounds.iter().map(keys).collect())
    }

    /// Fails unless the round plan is this one, and says what became of it.
    ///
    /// # Panics
    /// When it is another one.
    #[track_caller]
    pub fn assert_asked(&self, rounds: &[&[&str]]) {
        let keys = |round: &&[&str]| round.iter().map(|&key| key.to_owned()).collect();
        let expected = Plan(rounds.iter().map(keys).collect());
        if let Some(difference) = self.asked().difference(&expected) {
            panic!("{difference}");
        }
    }

    /// The last question that was asked under a key.
    ///
    /// # Panics
    /// When there was none.
    #[track_caller]
    #[must_use]
    pub fn question(&self, key: &str) -> &Question {
        let found = self
            .questions()
            .filter(|question| question.key() == key)
            .last();
        found.unwrap_or_else(|| panic!("`{key}` was never asked\n{self}"))
    }

    /// Every question, in the order they were asked.
    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        self.rounds.iter().flat_map(|round| &round.questions)
    }

    /// What the user read: the message of every question, in the order they were asked.
    #[must_use]
    pub fn messages(&self) -> Vec<&str> {
        self.questions().map(Question::message).collect()
    }

    /// The longest `requestState`, in characters: what clients carry for the tool.
    #[must_use]
    pub fn state_chars(&self) -> usize {
        self.rounds
            .iter()
            .map(|round| round.state_chars)
            .max()
            .unwrap_or(0)
    }

    /// What observers of the server were told. The second run of a round is left out.
    #[must_use]
    pub fn observed(&self) -> &[Observed] {
        &self.observed
    }

    /// The progress and log messages that came, as JSON-RPC notifications.
    #[must_use]
    pub fn notifications(&self) -> Vec<Value> {
        let read = |tree: &Tree| serde_json::from_str(&tree.to_string());
        let values = self
            .notifications
            .iter()
            .map(read)
            .collect::<Result<_, _>>();
        values.expect("invariant: a tree is JSON")
    }

    /// The effects that were counted during the call.
    ///
    /// # Panics
    /// When nobody counts.
    #[track_caller]
    #[must_use]
    pub fn effects(&self) -> &[String] {
        match &self.effects {
            Some(effects) => effects,
            None => panic!("{}", faults::nobody_counts()),
        }
    }

    /// Fails if there was an effect, and says what the user had said.
    ///
    /// # Panics
    /// When there was an effect, or nobody counts.
    #[track_caller]
    pub fn assert_no_effect(&self) {
        let effects = self.effects();
        assert!(
            effects.is_empty(),
            "{}\n{self}",
            faults::effect(self, effects)
        );
    }

    /// The dialogue up to a failure; nothing if nothing was asked before it.
    pub(super) fn so_far(&self) -> String {
        match self.rounds.as_slice() {
            [] => String::new(),
            _ => format!("so far:\n{}", Dialogue(self)),
        }
    }
}

/// The rounds as lines.
struct Dialogue<'a>(&'a Transcript);

impl fmt::Display for Dialogue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, round) in (1..).zip(&self.0.rounds) {
            for question in &round.questions {
                let message = question.message().replace('\n', "\n    ");
                writeln!(f, "  {number} `{}`: {message}", question.key())?;
            }
            round
                .said
                .iter()
                .try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the tool `{}`\n{}  end: {}",
            self.tool,
            Dialogue(self),
            self.end
        )
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => f.write_str("none yet"),
            Self::Left => f.write_str("the user walked away"),
            Self::Complete(result) => {
                let content = result.get("content").unwrap_or(&Tree::Null);
                let kind = match result.get("isError") {
                    Some(Tree::Bool(true)) => "a tool error",
                    _ => "a result",
                };
                write!(f, "{kind}: {content}")
            }
            Self::Failed(error) => write!(f, "a JSON-RPC error: {error}"),
            Self::Nothing => f.write_str("no response"),
        }
    }
}

impl fmt::Debug for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
