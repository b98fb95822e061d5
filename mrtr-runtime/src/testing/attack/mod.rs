//! The drill: an honest call first, then every attack on it, with its effects counted.

mod drill;
mod honest;
mod moves;
mod report;
mod tamper;

use std::fmt;
use std::future::{Future, IntoFuture};
use std::panic::Location;
use std::pin::Pin;

use serde_json::Value;

use super::client::Client;
use super::script::Answers;
use super::tally::Tally;

use drill::Tried;
use honest::Honest;
pub use moves::Move;
pub use report::{Report, Row, Verdict};

/// An attack on a tool that asks; awaiting carries it out, prints the [`Report`] and gives it back.
///
/// Each [`Move`] starts a call of its own, goes as far as it needs, and counts the effects that
/// come of it. The test fails if there are effects that should not be, whatever the server's
/// set-up. That a flow has its effect once can be promised only by a server with a flow store, for
/// tools with `#[commit]`; for others the report says so, and the test fails only if the move is
/// one that [must](Attack::must) hold.
#[must_use = "an attack does nothing until it is awaited"]
pub struct Attack<'a> {
    client: Client,
    tool: String,
    arguments: Value,
    answers: Answers,
    effects: Tally<'a>,
    must: Vec<Move>,
    allowed: Vec<Move>,
    at: &'static Location<'static>,
}

impl<'a> Attack<'a> {
    #[track_caller]
    pub(super) fn new(
        client: &Client,
        tool: &str,
        arguments: Value,
        answers: Answers,
        effects: Tally<'a>,
    ) -> Self {
        Self {
            client: client.clone(),
            tool: tool.to_owned(),
            arguments,
            answers,
            effects,
            must: Vec::new(),
            allowed: Vec::new(),
            at: Location::caller(),
        }
    }

    /// This must hold, whatever the server's set-up promises: an idempotency key, say, that the
    /// target looks at.
    pub fn must(mut self, what: Move) -> Self {
        self.must.push(what);
        self
    }

    /// This need not hold; the report says what it came to.
    pub fn allow(mut self, what: Move) -> Self {
        self.allowed.push(what);
        self
    }

    async fn run(self) -> Report {
        let honest = Honest::prepare(
            &self.client,
            &self.tool,
            &self.arguments,
            &self.answers,
            &self.effects,
            self.at,
        )
        .await;
        let mut rows = Vec::with_capacity(Move::ALL.len());
        for &what in Move::ALL {
            let before = self.effects.count();
            let tried = honest.attempt(what).await;
            let effects = self.effects.count().saturating_sub(before);
            rows.push(self.judge(&honest, what, effects, tried));
        }
        let report = Report {
            tool: self.tool,
            per_call: honest.effects,
            rows,
        };
        println!("{report}");
        assert!(!report.is_broken(), "{report}\ntest: {}", self.at);
        report
    }

    fn judge(&self, honest: &Honest<'_>, what: Move, effects: usize, tried: Tried) -> Row {
        let row = |verdict, note: String| Row {
            what,
            effects,
            verdict,
            note,
        };
        if let Tried::Skipped(why) = tried {
            return row(Verdict::Skipped, why);
        }
        let bound = what.bound();
        let held = bound.allows(effects, honest.effects);
        let excused = if self.must.contains(&what) {
            None
        } else if self.allowed.contains(&what) {
            Some("allowed by the test")
        } else {
            honest.excuse(what)
        };
        match (held, tried, excused) {
            (true, Tried::Odd(note), None) => row(Verdict::Broken, note),
            (true, Tried::Odd(note), Some(_)) => row(Verdict::NotGuaranteed, note),
            (true, _, Some(why)) if bound.needs_store() => {
                row(Verdict::Held, format!("by what the tool calls; {why}"))
            }
            (true, ..) => row(Verdict::Held, String::new()),
            (false, _, Some(why)) => row(Verdict::NotGuaranteed, why.to_owned()),
            (false, _, None) => row(Verdict::Broken, honest.wanted(what)),
        }
    }
}

impl<'a> IntoFuture for Attack<'a> {
    type Output = Report;
    type IntoFuture = Pin<Box<dyn Future<Output = Report> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl fmt::Debug for Attack<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attack")
            .field("tool", &self.tool)
            .field("answers", &self.answers)
            .finish_non_exhaustive()
    }
}
