//! Ending a round in its open questions: which go out, and the state that goes with them.

use crate::key::AskKey;
use crate::state::{Asked, FlowState};

use super::event::{Outcome, RoundEvent};
use super::{End, Open, Round};

/// A question on its way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenQuestion {
    /// Its key in `inputRequests`.
    pub key: AskKey,
    /// The `InputRequest` as JSON text.
    pub request: String,
}

/// A round that ended in questions.
#[derive(Debug)]
pub struct Minted {
    /// The questions in the order they were asked.
    pub questions: Vec<OpenQuestion>,
    /// The state to seal.
    pub state: FlowState,
}

impl Round {
    /// Ends the round in its open questions.
    ///
    /// # Errors
    /// [`End::TooManyRounds`] when the flow has no round left to answer them in.
    pub fn mint(&mut self, now: u64) -> Result<Minted, End> {
        let going = going_out(std::mem::take(&mut self.open), self.limits.asks);
        if let Some(first) = going.first()
            && self.number >= self.limits.rounds
        {
            return Err(End::TooManyRounds {
                key: first.key.clone(),
                limit: self.limits.rounds,
            });
        }
        let mut asked = Vec::with_capacity(going.len());
        let mut questions = Vec::with_capacity(going.len());
        for open in going {
            self.events.push(RoundEvent {
                key: open.key.clone(),
                outcome: Outcome::Asked,
            });
            asked.push(Asked {
                key: open.key.clone(),
                question: open.digest,
                kind: open.kind,
                tries: open.tries,
                changes: open.changes,
            });
            questions.push(OpenQuestion {
                key: open.key,
                request: open.request,
            });
        }
        asked.sort_by(|a, b| a.key.cmp(&b.key));
        let state = FlowState {
            root: self.root,
            start: self.start,
            round: self.number,
            round_end: self.answers_until(now),
            flow_end: self.flow_end,
            asked,
            entries: self.entries.clone(),
            memos: self.memos.clone(),
        };
        Ok(Minted { questions, state })
    }

    /// The error for a state that came out too long, naming what takes the most room in it.
    #[must_use]
    pub fn too_large(&self, minted: &Minted, size: usize) -> End {
        let state = &minted.state;
        let entries = state.entries.iter().map(|entry| {
            (
                entry.answer.content.as_ref().map_or(0, |text| text.len()),
                &entry.key,
            )
        });
        let memos = state.memos.iter().map(|memo| {
            let ask = self.ask_of_offers(&memo.key);
            (memo.value.len(), ask.unwrap_or(&memo.key))
        });
        let asked = state.asked.iter().map(|asked| (0, &asked.key));
        let largest = entries
            .chain(memos)
            .chain(asked)
            .max_by_key(|(size, _)| *size);
        End::StateTooLarge {
            bytes: largest.map_or(0, |(bytes, _)| bytes),
            key: largest.map(|(_, key)| key.clone()),
            size,
            limit: self.limits.state,
        }
    }
}

/// The questions that go out together: as many as fit, and one that wants to be alone by itself.
fn going_out(open: Vec<Open>, most: usize) -> Vec<Open> {
    let first_is_alone = open.first().is_some_and(|first| first.alone);
    open.into_iter()
        .enumerate()
        .filter(|(index, question)| {
            if first_is_alone {
                *index == 0
            } else {
                !question.alone
            }
        })
        .map(|(_, question)| question)
        .take(most)
        .collect()
}
