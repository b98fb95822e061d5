//! The request state of the floor: the cipher of mrtr's, and as many bytes of it.

use std::time::{SystemTime, UNIX_EPOCH};

use base64ct::{Base64UrlUnpadded, Encoding};
use orion::hazardous::aead::xchacha20poly1305::{Nonce, SecretKey, Tag, XChaCha20Poly1305};

/// The bytes before the nonce: a version, and the room of mrtr's key id and hints.
const HEAD: [u8; 9] = [1, 0, 0, 0, 0, 0, 0, 0, 0];

/// How long a flow lasts.
const FLOW: u64 = 3_600_000;

/// What travels from round to round.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// The name of the flow.
    pub(crate) root: [u8; 16],
    /// When it ends, in milliseconds.
    pub(crate) end: u64,
    /// How often the tool has asked.
    pub(crate) round: u8,
    /// The answers so far, as the tool writes them.
    pub(crate) answers: Vec<u8>,
}

impl State {
    /// The state of a flow that begins.
    pub(crate) fn first() -> Option<Self> {
        let mut root = [0; 16];
        getrandom::fill(&mut root).ok()?;
        Some(Self {
            root,
            end: now()? + FLOW,
            round: 0,
            answers: Vec::new(),
        })
    }
}

pub(crate) struct Sealer(SecretKey);

impl Sealer {
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        Self(SecretKey::from(*key))
    }

    /// The state as text, good for these arguments only. `pad` is how many bytes a state of mrtr
    /// has more: what it remembers of its question.
    pub(crate) fn seal(&self, state: &State, arguments: &str, pad: usize) -> Option<String> {
        let mut text = Vec::with_capacity(64 + pad + state.answers.len());
        text.extend_from_slice(&state.root);
        text.extend_from_slice(&state.end.to_be_bytes());
        text.push(state.round);
        text.extend_from_slice(&state.answers);
        text.resize(text.len() + pad, 0);
        let mut nonce = [0; 24];
        getrandom::fill(&mut nonce).ok()?;
        let bound = Some(arguments.as_bytes());
        let tag = XChaCha20Poly1305::seal_inplace(&self.0, &nonce.into(), bound, &mut text).ok()?;
        let tag = tag.unprotected_as_ref();
        let mut token = Vec::with_capacity(HEAD.len() + nonce.len() + text.len() + tag.len());
        token.extend_from_slice(&HEAD);
        token.extend_from_slice(&nonce);
        token.extend_from_slice(&text);
        token.extend_from_slice(tag);
        Some(Base64UrlUnpadded::encode_string(&token))
    }

    /// Opens a state, unless it is of other arguments, too old, or anybody's.
    pub(crate) fn open(&self, text: &str, arguments: &str, pad: usize) -> Option<State> {
        let mut token = Base64UrlUnpadded::decode_vec(text).ok()?;
        let (head, rest) = token.split_first_chunk_mut()?;
        let (nonce, sealed) = rest.split_first_chunk_mut::<24>()?;
        let (text, tag) = sealed.split_last_chunk_mut::<16>()?;
        let (nonce, tag) = (Nonce::from(*nonce), Tag::from(*tag));
        if *head != HEAD {
            return None;
        }
        let bound = Some(arguments.as_bytes());
        XChaCha20Poly1305::open_inplace(&self.0, &nonce, &tag, bound, text).ok()?;
        let text = &text[..text.len().checked_sub(pad)?];
        let (root, rest) = text.split_first_chunk::<16>()?;
        let (end, rest) = rest.split_first_chunk::<8>()?;
        let (round, answers) = rest.split_first()?;
        let state = State {
            root: *root,
            end: u64::from_be_bytes(*end),
            round: *round,
            answers: answers.to_vec(),
        };
        (now()? < state.end).then_some(state)
    }
}

/// Milliseconds since 1970.
fn now() -> Option<u64> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_opens_for_its_arguments_only() {
        let sealer = Sealer::new(&[7; 32]);
        let mut state = State::first().unwrap();
        state.answers = b"abc".to_vec();
        let text = sealer.seal(&state, "{}", 5).unwrap();
        assert_eq!(sealer.open(&text, "{}", 5).as_ref(), Some(&state));
        assert_eq!(sealer.open(&text, "{ }", 5), None);
        assert_eq!(sealer.open(&text[1..], "{}", 5), None);
        state.end = 1;
        let old = sealer.seal(&state, "{}", 5).unwrap();
        assert_eq!(sealer.open(&old, "{}", 5), None);
    }
}
