//! What is fuzzed: for any bytes these return, and what they accept obeys the laws they assert.

use mrtr_core::digest::params_digest;
use mrtr_core::json::{Json, canonical, canonical_text};
use mrtr_core::keyring::{Key, KeyRing};
use mrtr_core::seal::{Realm, Sealer, Sealing};
use mrtr_core::state::FlowState;

/// Any text as JSON: both ways to read it agree, what is read is written in one way, and that reads
/// back as the same.
pub(crate) fn json_scan(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    // What a scan marks is what the strict reader refuses, in the same words.
    if let Ok(json) = Json::scan(text) {
        assert_eq!(json.root().check(64), Json::parse(text, 64).map(drop));
    }
    let digest = params_digest(text, 64);
    let Ok(json) = Json::parse(text, 64) else {
        return;
    };
    let once = canonical(json.root());
    assert_eq!(canonical_text(&once, 64), Ok(once.clone()));
    // The digest sees no difference between a text and its canonical form.
    assert_eq!(params_digest(&once, 64), digest);
}

/// Any bytes as a state in either form: what is read is written as the same bytes.
pub(crate) fn state_decode(bytes: &[u8]) {
    if let Ok(state) = FlowState::decode(bytes) {
        assert_eq!(state.encode(), bytes);
        assert_eq!(FlowState::from_json(&state.to_json()), Ok(state));
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(state) = FlowState::from_json(text)
    {
        assert_eq!(state.to_json(), text);
        assert_eq!(FlowState::decode(&state.encode()), Ok(state));
    }
}

/// Any text as a token of either kind, a record and a ticket: without the key nothing opens.
pub(crate) fn token_open(bytes: &[u8]) {
    let key = std::array::from_fn::<u8, 32, _>(|at| at as u8);
    let text = String::from_utf8_lossy(bytes);
    let digest = params_digest("{}", 64).expect("an empty object has a digest");
    let bind = Realm::new("fuzz").bind(None, None, "tools/call", &digest);
    for sealing in [Sealing::Sealed, Sealing::Signed] {
        let key = Key::from_bytes(&key).expect("the key has 32 different bytes");
        let sealer = Sealer::new(KeyRing::new([key]).expect("one key is a ring"), sealing);
        assert!(sealer.open(&text, &bind, 0, u8::MAX, 1 << 14).is_err());
        assert!(sealer.open_record(bytes, b"aad").is_err());
        assert!(sealer.open_ticket(&text, b"aad", 1 << 14).is_err());
    }
}
