//! Tests of the sealing: sizes, the law of seal and open, and every way to be refused.

mod opaque;

use proptest::prelude::*;

use super::*;
use crate::digest::{ParamsDigest, params_digest};
use crate::keyring::Key;
use crate::principal::Principal;
use crate::state::tests::{answered, any_state, one_question};

const MAX: usize = 16 * 1024;
const NOW: u64 = 1_780_000_000_000;
const BOTH: [Sealing; 2] = [Sealing::Sealed, Sealing::Signed];

fn key(first: u8) -> Key {
    let mut bytes = std::array::from_fn::<u8, 32, _>(|at| at as u8);
    bytes[0] = first;
    Key::from_bytes(&bytes).unwrap()
}

fn sealer(keys: &[u8], sealing: Sealing) -> Sealer {
    let ring = KeyRing::new(keys.iter().map(|first| key(*first))).unwrap();
    Sealer::new(ring, sealing)
}

fn params(text: &str) -> ParamsDigest {
    params_digest(text, 64).unwrap()
}

fn ada() -> Principal {
    Principal::new("iss", "ada").unwrap()
}

fn bind() -> Bind {
    Realm::new("travel").bind(
        None,
        Some(&ada()),
        "tools/call",
        &params(r#"{"name":"book"}"#),
    )
}

fn open(sealer: &Sealer, text: &str, bind: &Bind) -> Result<FlowState, Refused> {
    sealer.open(text, bind, NOW, 10, MAX)
}

#[test]
fn tokens_keep_their_budget() {
    let sealer = sealer(&[1], Sealing::Sealed);
    let size = |state: &FlowState| sealer.seal(state, &bind(), [5; 24]).len();
    let mut state = one_question();
    let one = size(&state);
    assert_eq!(one, 138);
    state.entries = vec![answered("who", r#"{"name":"Ada"}"#)];
    let carried = size(&state);
    assert!(carried - one <= 56, "{}", carried - one);
    state.entries.push(answered("zok", r#"{"ok":true}"#));
    assert!(size(&state) - carried <= 56);
}

#[test]
fn a_state_opens_for_its_own_request_only() {
    let own = params(r#"{"name":"book","arguments":{"n":1}}"#);
    let same = params(r#"{"arguments":{"n":1.0},"name":"book","_meta":{}}"#);
    let other = params(r#"{"name":"book","arguments":{"n":2}}"#);
    let bob = Principal::new("iss", "bob").unwrap();
    let client = ada().client("other");
    let tenant = ada().tenant("other");
    let (epoch, later) = ([1; 16], [2; 16]);
    let call = "tools/call";
    let bound = Realm::new("r").bind(Some(&epoch), Some(&ada()), call, &own);
    for sealing in BOTH {
        let sealer = sealer(&[1], sealing);
        let text = sealer.seal(&one_question(), &bound, [5; 24]);
        let with = |bind: Bind| open(&sealer, &text, &bind);
        assert_eq!(
            with(Realm::new("r").bind(Some(&epoch), Some(&ada()), call, &same)),
            Ok(one_question())
        );
        for (bind, why) in [
            (
                Realm::new("s").bind(Some(&epoch), Some(&ada()), call, &own),
                Refused::Seal,
            ),
            (
                Realm::new("r").bind(Some(&later), Some(&ada()), call, &own),
                Refused::Seal,
            ),
            (
                Realm::new("r").bind(None, Some(&ada()), call, &own),
                Refused::Seal,
            ),
            (
                Realm::new("r").bind(Some(&epoch), Some(&bob), call, &own),
                Refused::OtherPrincipal,
            ),
            (
                Realm::new("r").bind(Some(&epoch), Some(&client), call, &own),
                Refused::OtherPrincipal,
            ),
            (
                Realm::new("r").bind(Some(&epoch), Some(&tenant), call, &own),
                Refused::OtherPrincipal,
            ),
            (
                Realm::new("r").bind(Some(&epoch), None, call, &own),
                Refused::OtherPrincipal,
            ),
            (
                Realm::new("r").bind(Some(&epoch), Some(&ada()), "prompts/get", &own),
                Refused::OtherCall,
            ),
            (
                Realm::new("r").bind(Some(&epoch), Some(&ada()), call, &other),
                Refused::OtherCall,
            ),
            (
                Realm::new("r").bind(Some(&epoch), None, call, &other),
                Refused::OtherPrincipal,
            ),
        ] {
            assert_eq!(with(bind), Err(why), "{sealing:?}");
        }
    }
}

#[test]
fn an_anonymous_state_does_not_open_for_a_principal() {
    let own = params("{}");
    let nobody = Realm::new("r").bind(None, None, "tools/call", &own);
    let somebody = Realm::new("r").bind(None, Some(&ada()), "tools/call", &own);
    let sealer = sealer(&[1], Sealing::Sealed);
    let text = sealer.seal(&one_question(), &nobody, [5; 24]);
    assert!(open(&sealer, &text, &nobody).is_ok());
    assert_eq!(
        open(&sealer, &text, &somebody),
        Err(Refused::OtherPrincipal)
    );
}

#[test]
fn times_and_rounds_are_honoured_exactly() {
    let state = one_question();
    for sealing in BOTH {
        let sealer = sealer(&[1], sealing);
        let text = sealer.seal(&state, &bind(), [5; 24]);
        let at = |now, rounds| sealer.open(&text, &bind(), now, rounds, MAX).map(|_| ());
        assert_eq!(at(state.start - 60_000, 10), Ok(()));
        assert_eq!(at(state.start - 60_001, 10), Err(Refused::FromTheFuture));
        // The end of the round is for the caller, who asks again.
        assert_eq!(at(state.round_end + 1, 10), Ok(()));
        assert_eq!(at(state.flow_end - 1, 10), Ok(()));
        assert_eq!(at(state.flow_end, 10), Err(Refused::FlowOver));
        assert_eq!(at(u64::MAX, 10), Err(Refused::FlowOver));
        assert_eq!(at(NOW, 2), Ok(()));
        assert_eq!(at(NOW, 1), Err(Refused::RoundsOver));
    }
}

#[test]
fn public_properties_are_checked_before_the_seal() {
    let sealer = sealer(&[1], Sealing::Sealed);
    let good = sealer.seal(&one_question(), &bind(), [5; 24]);
    let refused = |text: &str| open(&sealer, text, &bind()).unwrap_err();
    assert_eq!(refused(&"A".repeat(MAX + 1)), Refused::TooLong);
    assert_eq!(
        sealer.open(&good, &bind(), NOW, 10, good.len() - 1),
        Err(Refused::TooLong)
    );
    for text in [
        "A", "AAAA=", "AA AA", "AA\nAA", "AA+A", "AA/A", "é", "AB", "\0",
    ] {
        assert_eq!(refused(text), Refused::NotBase64, "{text:?}");
    }
    let edited = |at: usize, byte: u8| {
        let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(&good).unwrap();
        bytes[at] = byte;
        refused(&BASE64_URL_SAFE_NO_PAD.encode(&bytes))
    };
    assert_eq!(refused(""), Refused::Version);
    for byte in [0x00, 0x01, 0x21, 0xff] {
        assert_eq!(edited(0, byte), Refused::Version);
    }
    for byte in [0x10, 0x12, 0x13, 0x14, 0x1f] {
        assert_eq!(edited(0, byte), Refused::Kind);
    }
    assert!(matches!(edited(1, 0xff), Refused::UnknownKey(_)));
}

#[test]
fn every_changed_bit_and_every_truncation_is_refused() {
    for sealing in BOTH {
        let sealer = sealer(&[1, 2], sealing);
        let mut state = one_question();
        state.entries = vec![answered("seat", "{\"row\":7}")];
        let text = sealer.seal(&state, &bind(), [5; 24]);
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(&text).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let changed = BASE64_URL_SAFE_NO_PAD.encode(&bytes);
            assert!(open(&sealer, &changed, &bind()).is_err(), "bit {bit}");
        }
        for length in 0..text.len() {
            assert!(open(&sealer, &text[..length], &bind()).is_err(), "{length}");
            let bytes = &bytes[..length.min(bytes.len() - 1)];
            let shorter = BASE64_URL_SAFE_NO_PAD.encode(bytes);
            assert!(open(&sealer, &shorter, &bind()).is_err(), "{length}");
        }
        assert!(open(&sealer, &format!("{text}AAAA"), &bind()).is_err());
    }
}

#[test]
fn every_changed_character_is_refused() {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let sealer = sealer(&[1], Sealing::Sealed);
    let text = sealer.seal(&one_question(), &bind(), [5; 24]);
    for at in 0..text.len() {
        for &other in ALPHABET
            .iter()
            .filter(|&&other| other != text.as_bytes()[at])
        {
            let mut changed = text.clone().into_bytes();
            changed[at] = other;
            let changed = String::from_utf8(changed).unwrap();
            assert!(open(&sealer, &changed, &bind()).is_err(), "{at}");
        }
    }
}

#[test]
fn kinds_do_not_open_as_each_other() {
    let (sealed, signed) = (sealer(&[1], Sealing::Sealed), sealer(&[1], Sealing::Signed));
    let state = one_question();
    for (own, other) in [(&sealed, &signed), (&signed, &sealed)] {
        let text = own.seal(&state, &bind(), [5; 24]);
        assert_eq!(open(other, &text, &bind()), Err(Refused::Kind));
        // The kind is authenticated and the keys differ, so relabelling does not help.
        let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(&text).unwrap();
        bytes[0] ^= 3;
        let text = BASE64_URL_SAFE_NO_PAD.encode(&bytes);
        assert_eq!(open(other, &text, &bind()), Err(Refused::Seal));
    }
    let aad = bind().digest().to_vec();
    let record = sealed.seal_record(b"body", &aad, [5; 24]);
    let ticket = sealed.seal_ticket(b"body", &aad, [5; 24]);
    let mut relabelled = record.clone();
    relabelled[0] = TICKET;
    let relabelled = BASE64_URL_SAFE_NO_PAD.encode(&relabelled);
    assert_eq!(
        sealed.open_ticket(&relabelled, &aad, MAX),
        Err(Refused::Seal)
    );
    let ticket = BASE64_URL_SAFE_NO_PAD.decode(&ticket).unwrap();
    assert_eq!(sealed.open_record(&ticket, &aad), Err(Refused::Kind));
    let record = BASE64_URL_SAFE_NO_PAD.encode(&record);
    assert_eq!(open(&sealed, &record, &bind()), Err(Refused::Kind));
}

#[test]
fn flows_survive_a_rotation_in_three_steps() {
    for sealing in BOTH {
        let [old, both, turned, new] =
            [&[1][..], &[1, 2], &[2, 1], &[2]].map(|keys| sealer(keys, sealing));
        let text = old.seal(&one_question(), &bind(), [5; 24]);
        for opens in [&old, &both, &turned] {
            assert!(open(opens, &text, &bind()).is_ok());
        }
        let gone = old.ring().ids().next().unwrap();
        assert_eq!(open(&new, &text, &bind()), Err(Refused::UnknownKey(gone)));
        let text = turned.seal(&one_question(), &bind(), [5; 24]);
        for opens in [&both, &turned, &new] {
            assert!(open(opens, &text, &bind()).is_ok());
        }
    }
}

#[test]
fn a_repeated_random_value_repeats_no_nonce() {
    let sealer = sealer(&[1], Sealing::Sealed);
    let nonce = |state: &FlowState, bind: &Bind| {
        let text = sealer.seal(state, bind, [5; 24]);
        BASE64_URL_SAFE_NO_PAD.decode(&text).unwrap()[9..33].to_vec()
    };
    let mut later = one_question();
    later.round = 2;
    let other = Realm::new("other").bind(None, None, "tools/call", &params("{}"));
    assert_eq!(
        nonce(&one_question(), &bind()),
        nonce(&one_question(), &bind())
    );
    assert_ne!(nonce(&one_question(), &bind()), nonce(&later, &bind()));
    assert_ne!(
        nonce(&one_question(), &bind()),
        nonce(&one_question(), &other)
    );
    assert_ne!(
        sealer.seal(&one_question(), &bind(), [5; 24]),
        sealer.seal(&one_question(), &bind(), [6; 24])
    );
}

#[test]
fn log_digests_depend_on_the_key() {
    let digest = |keys: &[u8], bytes: &[u8]| sealer(keys, Sealing::Sealed).log_digest(bytes);
    assert_eq!(digest(&[1], b"yes"), digest(&[1, 2], b"yes"));
    assert_ne!(digest(&[1], b"yes"), digest(&[2], b"yes"));
    assert_ne!(digest(&[1], b"yes"), digest(&[1], b"no"));
    assert_eq!(digest(&[1], b"yes").len(), 12);
}

#[test]
fn callers_have_names_of_their_own_under_a_key() {
    let name = |key: u8, subject: &str| {
        let caller = Principal::new("https://issuer.example", subject).expect("a subject");
        sealer(&[key], Sealing::Sealed).caller_digest(&caller)
    };
    assert_eq!(name(1, "ada"), name(1, "ada"));
    assert_ne!(name(1, "ada"), name(1, "bob"));
    assert_ne!(
        name(1, "ada"),
        name(2, "ada"),
        "nobody guesses it without the key"
    );
}

#[test]
fn debug_shows_no_secret() {
    let sealer = sealer(&[1], Sealing::Sealed);
    let id = sealer.ring().ids().next().unwrap();
    assert_eq!(
        format!("{sealer:?}"),
        format!("Sealer(Sealed, KeyRing[{id}])")
    );
    assert_eq!(format!("{:?}", bind()), "Bind(..)");
    let why = Refused::UnknownKey(id);
    assert_eq!(
        why.to_string(),
        format!("it names the key {id}, which is not in the ring")
    );
    assert_eq!(why.as_str(), "unknown_key");
}

proptest! {
    #[test]
    fn opens_what_it_seals(mut state in any_state(), random: [u8; 24], signed: bool) {
        state.round_end = state.round_end.max(NOW + 1);
        state.flow_end = state.flow_end.max(NOW + 1);
        state.start = state.start.min(NOW);
        state.round = state.round.min(9);
        let sealer = sealer(&[1], BOTH[usize::from(signed)]);
        let text = sealer.seal(&state, &bind(), random);
        prop_assert_eq!(open(&sealer, &text, &bind()), Ok(state));
        let other = Realm::new("travel").bind(None, None, "tools/call", &params("{}"));
        prop_assert!(open(&sealer, &text, &other).is_err());
    }

    #[test]
    fn never_panics_on_foreign_text(text in "[A-Za-z0-9_-]{0,80}|(?s:.{0,40})", head: u8, signed: bool) {
        let sealer = sealer(&[1], BOTH[usize::from(signed)]);
        prop_assert!(open(&sealer, &text, &bind()).is_err());
        // The same behind a genuine header.
        let genuine = sealer.seal(&one_question(), &bind(), [5; 24]);
        let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(&genuine).unwrap();
        bytes.truncate(usize::from(head % 40));
        bytes.extend(text.as_bytes());
        let forged = BASE64_URL_SAFE_NO_PAD.encode(&bytes);
        prop_assert!(open(&sealer, &forged, &bind()).is_err());
    }
}
