//! Rounds whose client can be asked while the handler waits: the revisions before 2026-07-28.
//!
//! There is one run. A question that is open is sent by itself ([`Round::send`]) and its answer is
//! read by the code that reads answers brought by a request. Questions that are in flight together
//! count as one round, so that the limit of rounds stops the same handlers in every revision.

use crate::answer::read_answer;
use crate::key::AskKey;
use crate::limits::Limits;
use crate::question::needs_of;
use crate::state::{Action, Asked, Entry, Root, SealedAnswer};

use super::event::{Outcome, RoundEvent};
use super::mint::OpenQuestion;
use super::{End, Found, Registered, Round};

/// A question that is to be sent now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The question.
    pub question: OpenQuestion,
    /// It waits until no other question is in flight, and none joins it.
    pub alone: bool,
    /// The number of the round that it ends: the same for questions in flight together.
    pub round: u8,
}

impl Round {
    /// The only round of a flow whose client is asked while the handler waits.
    ///
    /// `tied` says that the root belongs to the request, so that the same request sent again is
    /// the same flow.
    #[must_use]
    pub fn live(root: Root, now: u64, limits: Limits, tied: bool) -> Self {
        Self {
            presented: tied,
            ..Self::first(root, now, limits)
        }
    }

    /// Takes an open question out of the round to send it; `None` when it is not open.
    ///
    /// # Errors
    /// [`End::TooManyRounds`] when the flow has no round left to answer it in.
    pub fn send(&mut self, key: &AskKey) -> Result<Option<Sent>, End> {
        let Some(index) = self.open.iter().position(|open| open.key == *key) else {
            return Ok(None);
        };
        let open = self.open.remove(index);
        if self.in_flight.is_empty() {
            if self.number >= self.limits.rounds {
                return Err(End::TooManyRounds {
                    key: open.key,
                    limit: self.limits.rounds,
                });
            }
            self.number += 1;
        }
        self.in_flight.push(open.key.clone());
        self.events.push(RoundEvent {
            key: open.key.clone(),
            outcome: Outcome::Asked,
        });
        self.asked.retain(|asked| asked.key != open.key);
        self.asked.push(Asked {
            key: open.key.clone(),
            question: open.digest,
            kind: open.kind,
            tries: open.tries,
            changes: open.changes,
        });
        Ok(Some(Sent {
            question: OpenQuestion {
                key: open.key,
                request: open.request,
            },
            alone: open.alone,
            round: self.number - 1,
        }))
    }

    /// Lets the handler run again from the top, with what is answered so far: what an open
    /// question that nobody waits for needs, once it has its answer.
    pub fn again(&mut self) {
        self.registered.clear();
        self.open.clear();
    }

    /// Reads the answer to a question in flight, as JSON text.
    ///
    /// What is no answer at all costs a try here: no round passes that would stop a broken client.
    pub fn answer(&mut self, key: &AskKey, text: &str) -> Found {
        let Some((index, asked)) = self.land(key) else {
            return Found::Open;
        };
        if text.len() > self.limits.answer_size(asked.kind) {
            return self.too_long(index, asked.kind);
        }
        match read_answer(asked.kind, text, &self.limits) {
            Some(answer) => {
                let asked_round = self.number - 1;
                self.insert(Entry {
                    key: key.clone(),
                    question: asked.question,
                    asked_round,
                    answer,
                });
                self.read(index)
            }
            None => self.invalid(index, "the answer could not be read"),
        }
    }

    /// The client does not know the method of a question in flight, whatever it declared.
    pub fn not_supported(&mut self, key: &AskKey) -> Found {
        let Some((index, asked)) = self.land(key) else {
            return Found::Open;
        };
        let needs = needs_of(asked.kind);
        self.not_asked(index, |key| End::Unsupported(key, needs))
    }

    /// The client's revision cannot show a question that was to go out; `why` is for the caller.
    pub fn cannot_show(&mut self, key: &AskKey, why: String) -> Found {
        let Some((index, _)) = self.land(key) else {
            return Found::Open;
        };
        self.not_asked(index, |key| End::CannotShow(key, why))
    }

    /// The client could not be asked; the call ends unless the author allowed for it.
    fn not_asked(&mut self, index: usize, end: impl FnOnce(AskKey) -> End) -> Found {
        let key = self.registered[index].question.key().clone();
        self.note(&key, Outcome::Unsupported);
        if self.registered[index].options.if_supported {
            Found::Unsupported
        } else {
            Found::Ended(end(key))
        }
    }

    /// The user refused a question in flight in a way that is no answer object.
    pub fn refused(&mut self, key: &AskKey) -> Found {
        let Some((index, asked)) = self.land(key) else {
            return Found::Open;
        };
        self.insert(Entry {
            key: key.clone(),
            question: asked.question,
            asked_round: self.number - 1,
            answer: SealedAnswer {
                kind: asked.kind,
                action: Action::Decline,
                content: None,
            },
        });
        self.read(index)
    }

    /// The keys of the questions in flight, in the order they were sent.
    pub fn in_flight(&self) -> impl Iterator<Item = &AskKey> {
        self.in_flight.iter()
    }

    /// Takes a question out of flight.
    fn land(&mut self, key: &AskKey) -> Option<(usize, Asked)> {
        let flying = self.in_flight.iter().position(|other| other == key)?;
        self.in_flight.remove(flying);
        let asked = self.asked(key)?.clone();
        let is_it = |registered: &Registered| registered.question.key() == key;
        Some((self.registered.iter().position(is_it)?, asked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capability::Capabilities;
    use crate::form::confirm_form;
    use crate::question::{Question, What};
    use crate::round::AskOptions;

    const PLAIN: AskOptions = AskOptions {
        missing: Capabilities::NONE,
        if_supported: false,
        accept_unsolicited: false,
        alone: false,
    };
    const YES: &str = r#"{"action":"accept","content":{"ok":true}}"#;

    fn key(name: &str) -> AskKey {
        AskKey::new(name.to_owned()).expect("a test's key")
    }

    fn asked(round: &mut Round, name: &str) {
        let form = What::Form(confirm_form());
        let question = Question::new(key(name), "Go on?", form).expect("a short message");
        assert_eq!(round.ask(question.clone(), PLAIN), Found::Open);
    }

    fn sent(round: &mut Round, name: &str) -> String {
        let sent = round.send(&key(name)).expect("rounds are left");
        sent.expect("it is open").question.request
    }

    fn live() -> Round {
        Round::live(Root([7; 16]), 0, Limits::default(), true)
    }

    #[test]
    fn an_answer_is_read_as_one_that_a_request_brings() {
        let mut round = live();
        asked(&mut round, "a");
        assert!(sent(&mut round, "a").contains(r#""message":"Go on?""#));
        assert!(!round.has_open());
        assert_eq!(
            round.answer(&key("a"), YES),
            Found::Accepted(r#"{"ok":true}"#.into())
        );
        assert_eq!(round.in_flight().count(), 0);
        asked(&mut round, "b");
        sent(&mut round, "b");
        assert_eq!(
            round.answer(&key("b"), r#"{"action":"decline","content":{"ok":true}}"#),
            Found::Declined
        );
    }

    #[test]
    fn what_was_not_asked_is_not_answered() {
        let mut round = live();
        assert_eq!(round.answer(&key("a"), YES), Found::Open);
        asked(&mut round, "a");
        // Open, and not sent yet.
        assert_eq!(round.answer(&key("a"), YES), Found::Open);
        assert_eq!(round.not_supported(&key("a")), Found::Open);
        assert_eq!(round.refused(&key("a")), Found::Open);
        sent(&mut round, "a");
        assert!(matches!(round.answer(&key("a"), YES), Found::Accepted(_)));
        assert_eq!(round.answer(&key("a"), YES), Found::Open);
    }

    #[test]
    fn an_invalid_answer_is_asked_for_again_with_the_reason_three_times() {
        for wrong in [
            r#"{"action":"accept","content":{}}"#,
            "7",
            r#"{"action":"perhaps"}"#,
        ] {
            let mut round = live();
            asked(&mut round, "a");
            sent(&mut round, "a");
            for _ in 0..3 {
                assert_eq!(round.answer(&key("a"), wrong), Found::Open, "{wrong}");
                assert!(sent(&mut round, "a").contains("Please answer again: "));
            }
            assert_eq!(
                round.answer(&key("a"), wrong),
                Found::Ended(End::TooManyTries(key("a")))
            );
        }
    }

    #[test]
    fn questions_in_flight_together_are_one_round_and_rounds_are_counted() {
        let mut round = live();
        for name in ["a", "b", "c"] {
            asked(&mut round, name);
            sent(&mut round, name);
        }
        assert_eq!(round.number(), 2);
        for name in ["c", "a", "b"] {
            round.answer(&key(name), YES);
        }
        for number in 3..=10 {
            let name = format!("n{number}");
            asked(&mut round, &name);
            sent(&mut round, &name);
            assert_eq!(round.number(), number);
            round.answer(&key(&name), YES);
        }
        asked(&mut round, "last");
        let end = End::TooManyRounds {
            key: key("last"),
            limit: 10,
        };
        assert_eq!(round.send(&key("last")), Err(end));
    }

    #[test]
    fn what_a_revision_cannot_show_is_unsupported_where_the_author_allows_for_it() {
        let mut round = live();
        asked(&mut round, "a");
        sent(&mut round, "a");
        let end = End::CannotShow(key("a"), "no".into());
        assert_eq!(round.cannot_show(&key("a"), "no".into()), Found::Ended(end));
        let lenient = AskOptions {
            if_supported: true,
            ..PLAIN
        };
        let question =
            Question::new(key("b"), "Go on?", What::Form(confirm_form())).expect("a short message");
        assert_eq!(round.ask(question.clone(), lenient), Found::Open);
        sent(&mut round, "b");
        assert_eq!(
            round.cannot_show(&key("b"), "no".into()),
            Found::Unsupported
        );
    }

    #[test]
    fn a_refusal_stays_a_no_when_the_handler_runs_again() {
        let mut round = live();
        asked(&mut round, "a");
        sent(&mut round, "a");
        assert_eq!(round.refused(&key("a")), Found::Declined);
        round.again();
        let question =
            Question::new(key("a"), "Go on?", What::Form(confirm_form())).expect("a short message");
        assert_eq!(round.ask(question.clone(), PLAIN), Found::Declined);
    }

    #[test]
    fn going_back_asks_again_with_a_draft_and_the_next_run_has_the_new_answer() {
        let mut round = live();
        for name in ["a", "b"] {
            asked(&mut round, name);
            sent(&mut round, name);
            round.answer(&key(name), YES);
        }
        assert_eq!(round.back_to(&key("a"), "Choose again."), Found::Open);
        let again = round.send(&key("a")).expect("rounds are left");
        let again = again.expect("it is open");
        assert!(again.question.request.contains("Choose again."));
        assert_eq!(again.round, 3);
        let no = r#"{"action":"accept","content":{"ok":false}}"#;
        round.answer(&key("a"), no);
        round.again();
        let question =
            Question::new(key("a"), "Go on?", What::Form(confirm_form())).expect("a short message");
        let found = round.ask(question.clone(), PLAIN);
        assert_eq!(found, Found::Accepted(r#"{"ok":false}"#.into()));
        // What was asked after it is asked again.
        asked(&mut round, "b");
    }

    #[test]
    fn a_client_that_does_not_know_the_method_is_unsupported() {
        let mut round = live();
        asked(&mut round, "a");
        sent(&mut round, "a");
        let end = End::Unsupported(key("a"), needs_of(crate::state::Kind::Form));
        assert_eq!(round.not_supported(&key("a")), Found::Ended(end));
    }
}
