//! The fuzzed entry points under a property test, so that every test run exercises them.

use proptest::prelude::*;

use super::entries;
use super::{Vectors, vectors};

proptest! {
    #[test]
    fn json_scan(bytes in near_json()) {
        entries::json_scan(&bytes);
    }

    #[test]
    fn state_decode(bytes in mutated(states())) {
        entries::state_decode(&bytes);
    }

    #[test]
    fn token_open(bytes in mutated(tokens())) {
        entries::token_open(&bytes);
    }
}

/// The frozen states and texts around them are the corpus that a fuzzer starts from.
fn states() -> Vec<Vec<u8>> {
    let Vectors { states, .. } = vectors();
    let both = states.into_iter().flat_map(|vector| {
        let state = mrtr_core::state::FlowState::from_json(&vector.state).unwrap();
        [state.encode(), vector.state.into_bytes()]
    });
    both.collect()
}

fn tokens() -> Vec<Vec<u8>> {
    let Vectors {
        states,
        records,
        tickets,
        ..
    } = vectors();
    let states = states.into_iter().map(|vector| vector.token.into_bytes());
    let records = records
        .into_iter()
        .map(|vector| super::unhex(&vector.record));
    let tickets = tickets.into_iter().map(|vector| vector.ticket.into_bytes());
    states.chain(records).chain(tickets).collect()
}

/// A frozen example with a piece replaced by other bytes.
fn mutated(corpus: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::collection::vec(any::<u8>(), 0..6);
    let place = (any::<prop::sample::Index>(), 0_usize..6);
    (prop::sample::select(corpus), place, piece).prop_map(|(mut bytes, (at, length), piece)| {
        let at = at.index(bytes.len());
        let end = (at + length).min(bytes.len());
        bytes.splice(at..end, piece);
        bytes
    })
}

fn near_json() -> impl Strategy<Value = Vec<u8>> {
    let token = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u",
        "d83d",
        "\"a\":",
        "\"arguments\":",
        "null",
        "true",
        "1",
        "0",
        "-",
        ".",
        "e",
        "E+",
        "9007199254740993",
        " ",
        "é",
        "\u{1}",
    ]);
    prop_oneof![
        prop::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat().into_bytes()),
        prop::collection::vec(any::<u8>(), 0..24),
        any_value(3),
    ]
}

/// Well-formed JSON with odd numbers, odd keys and odd blanks.
fn any_value(depth: u32) -> impl Strategy<Value = Vec<u8>> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,9})?([eE][+-]?[0-9]{1,4})?",
        "\"[a-zé\u{10000}]{0,4}\"",
        "\"\\\\u00[0-9a-fA-F]{2}\"",
    ];
    let value = leaf.prop_recursive(depth, 24, 5, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..5);
        let members = prop::collection::vec(("[a-c_é\u{10000}]{0,3}", inner), 0..5);
        prop_oneof![
            list.prop_map(|items| format!("[{}]", items.join(" , "))),
            members.prop_map(|members| {
                let members = members
                    .iter()
                    .map(|(key, value)| format!("\"{key}\" : {value}"));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }),
        ]
    });
    value.prop_map(String::into_bytes)
}
