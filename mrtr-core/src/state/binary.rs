//! The compact form of a state, which is what gets encrypted.
//!
//! Each state has exactly one encoding, and decoding takes nothing else. Every count is checked
//! against the bytes that are left before anything is set aside for it.

use super::{
    Action, Asked, Entry, FlowState, Keyed, Kind, MAX_COUNTED, Memo, QuestionDigest, Root,
    SealedAnswer, StateError, in_order,
};
use crate::key::AskKey;
use crate::varint::Varint;

/// The latest start, which is in the year 10889.
pub(super) const MAX_START: u64 = (1 << 48) - 1;
/// The flag of an answer that carries content.
const HAS_CONTENT: u8 = 0x80;

impl FlowState {
    /// Writes the state in its compact form.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(64);
        self.encode_into(&mut out);
        out
    }

    /// Writes the state in its compact form behind what is there.
    pub(crate) fn encode_into(&self, out: &mut Vec<u8>) {
        let start = self.start.min(MAX_START);
        out.extend(self.root.0);
        out.extend(&start.to_be_bytes()[2..]);
        out.push(self.round);
        put_varint(out, self.round_end.saturating_sub(start));
        put_varint(out, self.flow_end.saturating_sub(start));
        put_list(out, &self.asked, put_asked);
        put_list(out, &self.entries, put_entry);
        put_list(out, &self.memos, put_memo);
    }

    /// Reads a state in its compact form.
    ///
    /// # Errors
    /// The bytes are not exactly what [`FlowState::encode`] writes.
    pub fn decode(bytes: &[u8]) -> Result<Self, StateError> {
        let mut reader = Reader(bytes);
        let root = Root(reader.array()?);
        let mut start = [0; 8];
        start[2..].copy_from_slice(&reader.array::<6>()?);
        let start = u64::from_be_bytes(start);
        let state = FlowState {
            root,
            start,
            round: Some(reader.byte()?)
                .filter(|&n| n > 0)
                .ok_or(StateError::Number)?,
            round_end: reader.time_after(start)?,
            flow_end: reader.time_after(start)?,
            asked: reader.list(19, Reader::asked)?,
            entries: reader.list(20, Reader::entry)?,
            memos: reader.list(4, Reader::memo)?,
        };
        if reader.0.is_empty() {
            Ok(state)
        } else {
            Err(StateError::LeftOver)
        }
    }
}

fn put_list<T: Keyed>(out: &mut Vec<u8>, records: &[T], put: fn(&mut Vec<u8>, &T)) {
    let records = in_order(records);
    put_length(out, records.len());
    for record in records.iter() {
        let key = record.key().as_str();
        // One byte is enough: a key has at most 64.
        out.push(u8::try_from(key.len()).expect("invariant: a key has at most 64 bytes"));
        out.extend(key.as_bytes());
        put(out, record);
    }
}

fn put_asked(out: &mut Vec<u8>, asked: &Asked) {
    out.extend(asked.question.0);
    let counted = |count: u8| count.min(MAX_COUNTED);
    out.push((asked.kind as u8) << 6 | counted(asked.tries) << 3 | counted(asked.changes));
}

fn put_entry(out: &mut Vec<u8>, entry: &Entry) {
    let answer = &entry.answer;
    let content = answer.accepted();
    let flag = if content.is_some() { HAS_CONTENT } else { 0 };
    out.extend(entry.question.0);
    out.push(entry.asked_round);
    out.push(flag | (answer.kind as u8) << 2 | answer.action as u8);
    if let Some(content) = content {
        put_text(out, content);
    }
}

fn put_memo(out: &mut Vec<u8>, memo: &Memo) {
    out.push(memo.run);
    put_text(out, &memo.value);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_length(out, text.len());
    out.extend(text.as_bytes());
}

fn put_length(out: &mut Vec<u8>, length: usize) {
    out.extend(Varint::of_length(length).as_bytes());
}

fn put_varint(out: &mut Vec<u8>, number: u64) {
    out.extend(Varint::of(number).as_bytes());
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], StateError> {
        let (taken, rest) = self
            .0
            .split_at_checked(length)
            .ok_or(StateError::TooShort)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], StateError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(StateError::TooShort)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8, StateError> {
        self.array().map(|[byte]| byte)
    }

    fn varint(&mut self) -> Result<u64, StateError> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            // A zero at the end could have been left out; the tenth byte has room for one bit.
            if (byte == 0 && shift > 0) || (shift == 63 && bits > 1) {
                return Err(StateError::Number);
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(StateError::Number)
    }

    fn time_after(&mut self, start: u64) -> Result<u64, StateError> {
        start.checked_add(self.varint()?).ok_or(StateError::Number)
    }

    fn text(&mut self) -> Result<Box<str>, StateError> {
        let length = usize::try_from(self.varint()?).map_err(|_| StateError::TooShort)?;
        let text = std::str::from_utf8(self.take(length)?).map_err(|_| StateError::Text)?;
        Ok(text.into())
    }

    fn key(&mut self) -> Result<AskKey, StateError> {
        let length = usize::from(self.byte()?);
        let key = std::str::from_utf8(self.take(length)?).map_err(|_| StateError::Key)?;
        AskKey::new(key.to_owned()).map_err(|_| StateError::Key)
    }

    fn question(&mut self) -> Result<QuestionDigest, StateError> {
        self.array().map(QuestionDigest)
    }

    fn asked(&mut self) -> Result<Asked, StateError> {
        let key = self.key()?;
        let question = self.question()?;
        let packed = self.byte()?;
        Ok(Asked {
            key,
            question,
            kind: Kind::ALL[usize::from(packed >> 6)],
            tries: packed >> 3 & MAX_COUNTED,
            changes: packed & MAX_COUNTED,
        })
    }

    fn entry(&mut self) -> Result<Entry, StateError> {
        Ok(Entry {
            key: self.key()?,
            question: self.question()?,
            asked_round: self.byte()?,
            answer: self.answer()?,
        })
    }

    fn answer(&mut self) -> Result<SealedAnswer, StateError> {
        let packed = self.byte()?;
        let has_content = packed & HAS_CONTENT != 0;
        let find = |bits: u8| usize::from(packed >> bits);
        let kind = Kind::ALL.get(find(2) & 0x1f).ok_or(StateError::Answer)?;
        let action = Action::ALL.get(find(0) & 3).ok_or(StateError::Answer)?;
        if has_content && *action != Action::Accept {
            return Err(StateError::Answer);
        }
        Ok(SealedAnswer {
            kind: *kind,
            action: *action,
            content: has_content.then(|| self.text()).transpose()?,
        })
    }

    fn memo(&mut self) -> Result<Memo, StateError> {
        Ok(Memo {
            key: self.key()?,
            run: self.byte()?,
            value: self.text()?,
        })
    }

    /// A count and that many records of at least `least` bytes each.
    fn list<T: Keyed>(
        &mut self,
        least: usize,
        read: fn(&mut Self) -> Result<T, StateError>,
    ) -> Result<Vec<T>, StateError> {
        let count = usize::try_from(self.varint()?).map_err(|_| StateError::TooShort)?;
        if count > self.0.len() / least {
            return Err(StateError::TooShort);
        }
        let mut records: Vec<T> = Vec::with_capacity(count);
        for _ in 0..count {
            let record = read(self)?;
            if records
                .last()
                .is_some_and(|last| last.key() >= record.key())
            {
                return Err(StateError::Order);
            }
            records.push(record);
        }
        Ok(records)
    }
}

#[cfg(test)]
mod tests;
