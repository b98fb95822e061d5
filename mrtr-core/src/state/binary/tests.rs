//! Tests of the compact form: its size, its law, and the forms it does not take.

use super::*;
use crate::state::tests::{answered, any_state, one_question};
use proptest::prelude::*;

/// Where the first list begins: root, start, round, and two ends of three and four bytes.
const FIXED: usize = 16 + 6 + 1 + 3 + 4;

#[test]
fn is_as_small_as_promised() {
    let mut state = one_question();
    assert_eq!(state.encode().len(), FIXED + 3 + 21);
    state.entries = vec![answered("who", r#"{"name":"Ada"}"#)];
    assert_eq!(state.encode().len(), FIXED + 3 + 21 + 37);
    state.entries.push(answered("ok", r#"{"ok":true}"#));
    assert_eq!(state.encode().len(), FIXED + 3 + 21 + 37 + 33);
}

#[test]
fn values_beyond_the_format_are_held_at_its_edge() {
    let mut state = one_question();
    state.asked[0].tries = 200;
    state.asked[0].changes = 8;
    state.start = u64::MAX;
    state.round_end = 5;
    let decoded = FlowState::decode(&state.encode()).unwrap();
    assert_eq!((decoded.asked[0].tries, decoded.asked[0].changes), (7, 7));
    assert_eq!((decoded.start, decoded.round_end), (MAX_START, MAX_START));
}

#[test]
fn content_of_a_decline_is_left_behind() {
    let mut state = one_question();
    let mut entry = answered("who", "{\"x\":1}");
    entry.answer.action = Action::Decline;
    state.entries = vec![entry];
    let decoded = FlowState::decode(&state.encode()).unwrap();
    assert_eq!(decoded.entries[0].answer.content, None);
}

#[test]
fn takes_no_other_form() {
    let good = one_question().encode();
    let edited = |edit: fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        edit(&mut bytes);
        FlowState::decode(&bytes).unwrap_err()
    };
    assert_eq!(edited(|b| b.push(0)), StateError::LeftOver);
    assert_eq!(edited(|b| b[22] = 0), StateError::Number);
    // The count of entries as `80 00` instead of `00`, and as a number of 70 bits.
    assert_eq!(
        edited(|b| drop(b.splice(52..53, [0x80, 0]))),
        StateError::Number
    );
    assert_eq!(
        edited(|b| drop(b.splice(52..53, [0xff; 10]))),
        StateError::Number
    );
    assert_eq!(edited(|b| b[FIXED] = 2), StateError::TooShort);
    assert_eq!(
        edited(|b| drop(b.splice(30..31, [0xff, 0xff, 0xff, 0x7f]))),
        StateError::TooShort
    );
    assert_eq!(edited(|b| b[31] = 0), StateError::Key);
    assert_eq!(edited(|b| b[32] = b' '), StateError::Key);
    assert_eq!(edited(|b| b[32] = 0xff), StateError::Key);
    // Flow end: the start plus 2^64 - 1.
    assert_eq!(
        edited(|b| drop(b.splice(
            26..30,
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]
        ))),
        StateError::Number
    );
}

#[test]
fn keys_must_ascend() {
    let mut state = one_question();
    state.entries = vec![answered("a", "1"), answered("b", "2")];
    let good = state.encode();
    let at = |key: u8| good.iter().rposition(|&byte| byte == key).unwrap();
    for (key, other) in [(b'a', b'b'), (b'b', b'a')] {
        let mut bytes = good.clone();
        bytes[at(key)] = other;
        assert_eq!(FlowState::decode(&bytes), Err(StateError::Order));
    }
}

#[test]
fn answers_are_of_known_kinds() {
    let mut state = one_question();
    state.entries = vec![answered("z", "\"\"")];
    let good = state.encode();
    // Behind it: the length, two quotes, and the count of memos.
    let at = good.len() - 5;
    let mut accepted = Vec::new();
    for packed in 0..=255 {
        let mut bytes = good.clone();
        bytes[at] = packed;
        match FlowState::decode(&bytes) {
            Ok(_) => accepted.push(packed),
            Err(error) if packed & HAS_CONTENT != 0 => assert_eq!(error, StateError::Answer),
            // Without content its bytes are read as the count and first of the memos.
            Err(_) => {}
        }
    }
    assert_eq!(accepted, [0x80, 0x84, 0x88, 0x8c]);
}

#[test]
fn texts_are_utf8() {
    let mut state = one_question();
    state.entries = vec![answered("z", "\"x\"")];
    let mut bytes = state.encode();
    let at = bytes.iter().rposition(|&byte| byte == b'x').unwrap();
    bytes[at] = 0xff;
    assert_eq!(FlowState::decode(&bytes), Err(StateError::Text));
}

proptest! {
    #[test]
    fn decodes_what_it_encodes(state in any_state()) {
        let bytes = state.encode();
        prop_assert_eq!(FlowState::decode(&bytes), Ok(state));
    }

    #[test]
    fn refuses_every_truncation(state in any_state()) {
        let bytes = state.encode();
        for length in 0..bytes.len() {
            prop_assert!(FlowState::decode(&bytes[..length]).is_err());
        }
    }

    #[test]
    fn whatever_decodes_is_its_own_encoding(state in any_state(), at: prop::sample::Index, byte: u8) {
        let mut bytes = state.encode();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(other) = FlowState::decode(&bytes) {
            prop_assert_eq!(other.encode(), bytes);
        }
    }
}
