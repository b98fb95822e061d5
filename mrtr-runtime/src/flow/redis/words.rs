//! Reading what the scripts answer: a word, and what belongs to it.

use bytes::Bytes;

use crate::flow::names::FlowKey;
use crate::flow::store::StoreError;
use crate::flow::verb::{
    Claimed, Ended, EndedFlow, Finished, Found, FoundState, Limit, Looked, Marked, Met, Released,
    Renewed, Resolved,
};

/// The answer of a script.
pub(super) struct Words(pub(super) Vec<Vec<u8>>);

type Read<T> = Result<T, StoreError>;

impl Words {
    fn word(&self) -> &[u8] {
        self.0.first().map_or(&[], Vec::as_slice)
    }

    fn unreadable<T>(&self) -> Read<T> {
        // The word only: what follows may be a body.
        Err(StoreError::Unreadable(
            String::from_utf8_lossy(self.word())
                .escape_debug()
                .to_string(),
        ))
    }

    /// What follows the word.
    fn part(&self, index: usize) -> Read<&[u8]> {
        match self.0.get(index) {
            Some(part) => Ok(part),
            None => self.unreadable(),
        }
    }

    fn flag(&self, index: usize) -> Read<bool> {
        match self.part(index)? {
            b"0" => Ok(false),
            b"1" => Ok(true),
            _ => self.unreadable(),
        }
    }

    fn array<const N: usize>(&self, index: usize) -> Read<[u8; N]> {
        self.part(index)?.try_into().or_else(|_| self.unreadable())
    }

    fn takeovers(&self, index: usize) -> Read<u8> {
        let digits = str::from_utf8(self.part(index)?).ok();
        match digits.and_then(|digits| digits.parse().ok()) {
            Some(takeovers) => Ok(takeovers),
            None => self.unreadable(),
        }
    }

    fn ended(&self) -> Read<Ended> {
        match self.word() {
            b"recorded" => Ok(Ended::Recorded(Bytes::copy_from_slice(self.part(1)?))),
            b"not_kept" => Ok(Ended::NotKept),
            b"other_answers" => Ok(Ended::OtherAnswers),
            _ => self.unreadable(),
        }
    }

    fn met(&self) -> Read<Met> {
        match self.word() {
            b"busy" => Ok(Met::Busy {
                same: self.flag(1)?,
            }),
            b"lost" => Ok(Met::Lost {
                same: self.flag(1)?,
                takeovers: self.takeovers(2)?,
            }),
            _ => self.ended().map(Met::Ended),
        }
    }

    fn limit(&self) -> Read<Limit> {
        match self.part(1)? {
            b"store" => Ok(Limit::Store),
            b"caller" => Ok(Limit::Caller),
            _ => self.unreadable(),
        }
    }

    pub(super) fn looked(&self) -> Read<Looked> {
        match self.word() {
            b"free" => Ok(Looked::Free),
            b"other_epoch" => Ok(Looked::OtherEpoch),
            _ => self.met().map(Looked::Met),
        }
    }

    pub(super) fn claimed(&self) -> Read<Claimed> {
        match self.word() {
            b"won" => Ok(Claimed::Won),
            b"full" => self.limit().map(Claimed::Full),
            b"other_epoch" => Ok(Claimed::OtherEpoch),
            _ => self.met().map(Claimed::Met),
        }
    }

    pub(super) fn renewed(&self) -> Read<Renewed> {
        match self.word() {
            b"held" => Ok(Renewed::Held),
            b"gone" => Ok(Renewed::Gone),
            _ => self.unreadable(),
        }
    }

    pub(super) fn finished(&self) -> Read<Finished> {
        match self.word() {
            b"finished" => Ok(Finished::Recorded {
                body: self.flag(1)?,
            }),
            b"not_held" => Ok(Finished::NotHeld),
            b"other_epoch" => Ok(Finished::OtherEpoch),
            _ => self.ended().map(Finished::Earlier),
        }
    }

    pub(super) fn ended_flow(&self) -> Read<EndedFlow> {
        match self.word() {
            b"ended" => Ok(EndedFlow::Recorded),
            b"full" => self.limit().map(EndedFlow::Full),
            b"other_epoch" => Ok(EndedFlow::OtherEpoch),
            _ => self.met().map(EndedFlow::Met),
        }
    }

    pub(super) fn released(&self) -> Read<Released> {
        match self.word() {
            b"freed" => Ok(Released::Freed),
            b"not_held" => Ok(Released::NotHeld),
            _ => self.unreadable(),
        }
    }

    pub(super) fn marked(&self) -> Read<Marked> {
        match self.word() {
            b"lost" => Ok(Marked::Lost),
            b"not_held" => Ok(Marked::NotHeld),
            _ => self.unreadable(),
        }
    }

    pub(super) fn resolved(&self) -> Read<Resolved> {
        match self.word() {
            b"done" => Ok(Resolved::Done),
            b"nothing" => Ok(Resolved::Nothing),
            b"busy" => Ok(Resolved::Busy),
            b"already_ended" => Ok(Resolved::AlreadyEnded),
            _ => self.unreadable(),
        }
    }

    pub(super) fn found(&self, flow: FlowKey) -> Read<Option<Found>> {
        let state = match self.word() {
            b"nothing" => return Ok(None),
            b"busy" => FoundState::Busy,
            b"lost" => FoundState::Lost,
            b"ended" => FoundState::Ended,
            b"bare" => FoundState::EndedWithoutBody,
            _ => return self.unreadable(),
        };
        let (cont, bound) = (self.array(1)?.into(), self.array(2)?.into());
        Ok(Some(Found {
            flow,
            cont,
            bound,
            state,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Words {
        Words(words.iter().map(|word| word.as_bytes().to_vec()).collect())
    }

    #[test]
    fn what_is_no_answer_is_an_error_that_shows_the_word_only() {
        for strange in [
            &[][..],
            &["nonsense", "secret"],
            &["lost", "1"],
            &["busy", "2"],
        ] {
            let error = words(strange).looked().unwrap_err().to_string();
            assert!(
                error.starts_with("the flow store gave an answer that cannot be read"),
                "{error}"
            );
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn an_answer_to_another_verb_is_no_answer() {
        assert!(words(&["won"]).looked().is_err());
        assert!(words(&["free"]).claimed().is_err());
        assert!(words(&["busy", "1"]).finished().is_err());
    }
}
