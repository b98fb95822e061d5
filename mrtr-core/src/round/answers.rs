//! The answers of a request: which count, and what each comes to.

use crate::answer::{Given, read_answer};
use crate::key::AskKey;
use crate::question::What;
use crate::roots;
use crate::sampling;
use crate::state::{Action, Entry, Kind, SealedAnswer};

use super::event::Outcome;
use super::{Found, Round};

impl Round {
    /// Takes the answers of the request: the members of `inputResponses`.
    ///
    /// An answer to an asked question becomes an entry at once, read or not, so that it is never
    /// asked for again. With `late` set, the round's window is over: nothing is accepted.
    pub fn take_answers<'a>(
        &mut self,
        responses: impl IntoIterator<Item = (&'a str, impl Into<Given<'a>>)>,
        late: bool,
    ) {
        let asked_round = self.number - 1;
        for (name, given) in responses {
            let given = given.into();
            let Ok(key) = AskKey::new(name.to_owned()) else {
                continue;
            };
            match self.asked.iter().find(|asked| asked.key == key) {
                Some(_) if late => self.note(&key, Outcome::Late),
                Some(asked) => {
                    let (question, kind) = (asked.question, asked.kind);
                    if given.text().len() > self.limits.answer_size(kind) {
                        self.longer.push(key);
                    } else if let Some(answer) = read_answer(kind, given, &self.limits) {
                        self.insert(Entry {
                            key,
                            question,
                            asked_round,
                            answer,
                        });
                    }
                }
                None if given.text().len() <= self.limits.answer => {
                    self.loose.push((key, given.text().into()));
                }
                None => {}
            }
        }
    }

    /// Reads the entry of a question whose digest agrees; validated whenever it is read.
    pub(super) fn read(&mut self, index: usize) -> Found {
        let registered = &self.registered[index];
        let key = registered.question.key().clone();
        let Some(entry) = self.entry(&key) else {
            return self.unanswered(index);
        };
        // An answer that was valid in an earlier round is invalid only because its choice is gone.
        let was_valid = entry.asked_round + 1 < self.number;
        match evaluate(registered.question.what(), &entry.answer) {
            Ok(Found::Accepted(content)) if !self.is_offered_still(index, &content) => {
                self.changed(index)
            }
            Ok(found) => {
                self.note(&key, Outcome::of(&found));
                found
            }
            Err(_) if was_valid && self.has_options(index) => self.changed(index),
            Err(reason) => self.invalid(index, &reason),
        }
    }

    pub(super) fn unanswered(&mut self, index: usize) -> Found {
        let registered = &self.registered[index];
        let (key, digest) = (registered.question.key().clone(), registered.digest);
        let kind = registered.question.what().kind();
        if registered.options.accept_unsolicited
            && let Some(found) = self.unsolicited(index)
        {
            return found;
        }
        if self.longer.contains(&key) {
            return self.too_long(index, kind);
        }
        let counts = self.counts(&key, digest);
        self.open(index, counts, None, None)
    }

    /// An answer of more bytes than are read breaks a rule as any other does.
    pub(super) fn too_long(&mut self, index: usize, kind: Kind) -> Found {
        let most = self.limits.answer_size(kind);
        self.invalid(index, &format!("the answer is longer than {most} bytes"))
    }

    /// An answer nobody asked for becomes an entry if it is valid; otherwise it is passed over.
    fn unsolicited(&mut self, index: usize) -> Option<Found> {
        let registered = &self.registered[index];
        let (key, digest) = (registered.question.key().clone(), registered.digest);
        let what = registered.question.what();
        let (_, text) = self.loose.iter().find(|(name, _)| *name == key)?;
        let answer = read_answer(what.kind(), &**text, &self.limits)?;
        let found = evaluate(what, &answer).ok()?;
        let asked_round = self.number;
        self.insert(Entry {
            key: key.clone(),
            question: digest,
            asked_round,
            answer,
        });
        self.note_offers(index);
        self.note(&key, Outcome::Unsolicited);
        Some(found)
    }
}

/// Judges an answer by the question it was given to.
fn evaluate(what: &What, answer: &SealedAnswer) -> Result<Found, String> {
    if answer.kind != what.kind() {
        return Err("it is an answer to another kind of question".into());
    }
    match answer.action {
        Action::Decline => return Ok(Found::Declined),
        Action::Cancel => return Ok(Found::Cancelled),
        Action::Accept => {}
    }
    let content = answer.content.as_deref();
    let carried = || content.unwrap_or("null").to_owned();
    match what {
        What::Form(form) | What::Options(form) => form
            .read(content)
            .map(Found::Accepted)
            .map_err(|problems| crate::form::reason(&problems)),
        What::Url(_) => Ok(Found::Accepted(carried())),
        What::Sampling(_) => sampling::check(&carried()).map(|()| Found::Accepted(carried())),
        What::Roots => roots::check(&carried()).map(|()| Found::Accepted(carried())),
    }
}
