//! Tests of the state, and the states that other tests are made of.

use super::*;
use proptest::collection::btree_map;
use proptest::prelude::*;

/// A state with one open question under the key `who`, as the size budget counts it.
pub(crate) fn one_question() -> FlowState {
    let start = 1_780_000_000_000;
    FlowState {
        root: Root([7; 16]),
        start,
        round: 1,
        round_end: start + 600_000,
        flow_end: start + 3_600_000,
        asked: vec![Asked {
            key: AskKey::new("who").unwrap(),
            question: QuestionDigest([9; 16]),
            kind: Kind::Form,
            tries: 0,
            changes: 0,
        }],
        entries: vec![],
        memos: vec![],
    }
}

/// An accepted form.
pub(crate) fn answered(key: &'static str, content: &str) -> Entry {
    Entry {
        key: AskKey::new(key).unwrap(),
        question: QuestionDigest([3; 16]),
        asked_round: 1,
        answer: SealedAnswer {
            kind: Kind::Form,
            action: Action::Accept,
            content: Some(content.into()),
        },
    }
}

/// Any state that is in its normal form.
pub(crate) fn any_state() -> impl Strategy<Value = FlowState> {
    let key = || "[A-Za-z0-9._-]{1,6}";
    let digest = || any::<[u8; 16]>().prop_map(QuestionDigest);
    let kind = || prop::sample::select(&Kind::ALL[..]);
    let counted = || 0..=MAX_COUNTED;
    let asked = btree_map(key(), (digest(), kind(), counted(), counted()), 0..4);
    let entries = btree_map(key(), (digest(), any::<u8>(), any_answer()), 0..4);
    let memos = btree_map(key(), (any::<u8>(), "(?s:.{0,200})"), 0..3);
    let times = (0..1_u64 << 48, 1_u8.., 0..1_u64 << 40, 0..1_u64 << 40);
    (any::<[u8; 16]>(), times, asked, entries, memos).prop_map(
        |(root, (start, round, round_end, flow_end), asked, entries, memos)| {
            let key = |key: String| AskKey::new(key).unwrap();
            FlowState {
                root: Root(root),
                start,
                round,
                round_end: start + round_end,
                flow_end: start + flow_end,
                asked: (asked.into_iter())
                    .map(|(k, (question, kind, tries, changes))| Asked {
                        key: key(k),
                        question,
                        kind,
                        tries,
                        changes,
                    })
                    .collect(),
                entries: (entries.into_iter())
                    .map(|(k, (question, asked_round, answer))| Entry {
                        key: key(k),
                        question,
                        asked_round,
                        answer,
                    })
                    .collect(),
                memos: (memos.into_iter())
                    .map(|(k, (run, value))| Memo {
                        key: key(k),
                        run,
                        value: value.into(),
                    })
                    .collect(),
            }
        },
    )
}

fn any_answer() -> impl Strategy<Value = SealedAnswer> {
    let kind = prop::sample::select(&Kind::ALL[..]);
    let action = prop::sample::select(&Action::ALL[..]);
    let content = prop::option::of("(?s:.{0,200})");
    (kind, action, content).prop_map(|(kind, action, content)| SealedAnswer {
        kind,
        action,
        content: content.filter(|_| action == Action::Accept).map(Into::into),
    })
}

#[test]
fn finds_records_by_key() {
    let mut state = one_question();
    state.entries = vec![answered("a", "1"), answered("b", "2")];
    assert_eq!(state.entry("b").unwrap().answer.accepted(), Some("2"));
    assert_eq!(find(&state.asked, "who").unwrap().tries, 0);
    assert!(state.entry("who").is_none() && state.memo("a").is_none());
}

#[test]
fn puts_records_in_order() {
    let entries = [answered("b", "1"), answered("a", "2"), answered("b", "3")];
    let ordered = in_order(&entries);
    assert_eq!(*ordered, [answered("a", "2"), answered("b", "3")]);
    assert!(matches!(in_order(&ordered), Cow::Borrowed(_)));
}

#[test]
fn debug_shows_no_content() {
    let mut state = one_question();
    state.entries = vec![answered("who", "\"canary\"")];
    state.memos = vec![Memo {
        key: AskKey::new("price").unwrap(),
        run: 1,
        value: "\"canary\"".into(),
    }];
    let shown = format!("{state:?}");
    assert!(!shown.contains("canary"), "{shown}");
    assert!(shown.contains("AskKey(who)") && shown.contains("Memo(price of run 1)"));
    assert!(
        !shown.contains("7, 7") && !shown.contains("9, 9"),
        "{shown}"
    );
}
