//! Frozen examples of the token format, a second implementation that opens them, and the fuzzed
//! entry points under a property test.
//!
//! `v1.json` holds inputs and outputs. To add an example, add its inputs with empty outputs and
//! run the tests with `UPDATE_EXPECT=1`. An output that changes means that flows under way end:
//! see the section on opening in `docs/token.md`.

#![allow(
    clippy::unwrap_used,
    reason = "all of it is test code, also what is no test by itself"
)]

mod entries;
mod fuzz;
mod opener;

use expect_test::expect_file;
use mrtr_core::digest::params_digest;
use mrtr_core::ident;
use mrtr_core::json::canonical_text;
use mrtr_core::keyring::{Key, KeyRing};
use mrtr_core::principal::Principal;
use mrtr_core::seal::{Bind, Realm, Sealer, Sealing, record_aad, record_bound};
use mrtr_core::state::{FlowState, Root};
use serde::{Deserialize, Serialize};

const MAX: usize = 1 << 20;

#[derive(Serialize, Deserialize)]
struct Vectors {
    states: Vec<StateVector>,
    records: Vec<RecordVector>,
    tickets: Vec<TicketVector>,
    names: Vec<NameVector>,
    canonical: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
struct StateVector {
    about: String,
    keys: Vec<String>,
    signed: bool,
    request: Request,
    random: String,
    state: String,
    params_digest: String,
    bind: String,
    token: String,
}

#[derive(Serialize, Deserialize)]
struct Request {
    realm: String,
    epoch: Option<String>,
    principal: Option<Caller>,
    method: String,
    params: String,
}

#[derive(Serialize, Deserialize)]
struct Caller {
    issuer: String,
    subject: String,
    client: Option<String>,
    tenant: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct RecordVector {
    key: String,
    request: Request,
    root: String,
    flow_key: String,
    continuation: String,
    bound: String,
    random: String,
    body: String,
    record: String,
}

#[derive(Serialize, Deserialize)]
struct TicketVector {
    key: String,
    aad: String,
    random: String,
    content: String,
    ticket: String,
}

#[derive(Serialize, Deserialize)]
struct NameVector {
    realm: String,
    name: String,
    thing: String,
    state: String,
    flow_id: String,
    flow_key: String,
    idempotency_key: String,
    idempotency_key_for: String,
    uuid: String,
    rng_seed: String,
    continuation: String,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("v1.json")).expect("v1.json is readable")
}

#[test]
fn the_format_is_frozen() {
    let mut vectors = vectors();
    vectors.states.iter_mut().for_each(StateVector::fill);
    vectors.records.iter_mut().for_each(RecordVector::fill);
    vectors.tickets.iter_mut().for_each(TicketVector::fill);
    vectors.names.iter_mut().for_each(NameVector::fill);
    for (text, canonical) in &mut vectors.canonical {
        *canonical = canonical_text(text, 64).unwrap();
    }
    let text = serde_json::to_string_pretty(&vectors).unwrap();
    expect_file!["v1.json"].assert_eq(&(text + "\n"));
}

#[test]
fn frozen_states_open() {
    for vector in vectors().states {
        let state = FlowState::from_json(&vector.state).unwrap();
        let (sealer, bind) = (vector.sealer(), vector.request.bind());
        let opened = sealer.open(&vector.token, &bind, state.start, u8::MAX, MAX);
        assert_eq!(opened, Ok(state), "{}", vector.about);
    }
}

#[test]
fn frozen_states_open_by_the_document_alone() {
    for vector in vectors().states {
        let found = opener::open_state(&vector);
        let expected: serde_json::Value = serde_json::from_str(&vector.state).unwrap();
        assert_eq!(found, expected, "{}", vector.about);
    }
}

#[test]
fn frozen_records_and_tickets_open() {
    for vector in vectors().records {
        let (sealer, record) = (sealer(&vector.key), unhex(&vector.record));
        let body = sealer.open_record(&record, &vector.aad()).unwrap();
        assert_eq!(body, vector.body.as_bytes());
        assert_eq!(opener::open_record(&vector), body);
    }
    for vector in vectors().tickets {
        let content = sealer(&vector.key).open_ticket(&vector.ticket, vector.aad.as_bytes(), MAX);
        assert_eq!(content.as_deref(), Ok(vector.content.as_bytes()));
        assert_eq!(opener::open_ticket(&vector), vector.content.as_bytes());
    }
}

impl StateVector {
    fn fill(&mut self) {
        let state = FlowState::from_json(&self.state).unwrap();
        let bind = self.request.bind();
        let digest = params_digest(&self.request.params, 64).unwrap();
        self.params_digest = hex(digest.as_bytes());
        self.bind = hex(bind.digest());
        self.token = self.sealer().seal(&state, &bind, array(&self.random));
    }

    fn sealer(&self) -> Sealer {
        let sealing = if self.signed {
            Sealing::Signed
        } else {
            Sealing::Sealed
        };
        let keys = self.keys.iter().map(|key| Key::parse(key).unwrap());
        Sealer::new(KeyRing::new(keys).unwrap(), sealing)
    }
}

impl Request {
    fn bind(&self) -> Bind {
        let epoch = self.epoch.as_deref().map(array::<16>);
        let principal = self.principal.as_ref().map(Caller::principal);
        let params = params_digest(&self.params, 64).unwrap();
        Realm::new(self.realm.clone()).bind(
            epoch.as_ref(),
            principal.as_ref(),
            self.method.clone(),
            &params,
        )
    }
}

impl Caller {
    fn principal(&self) -> Principal {
        let mut principal = Principal::new(&*self.issuer, &*self.subject).unwrap();
        if let Some(client) = &self.client {
            principal = principal.client(&**client);
        }
        if let Some(tenant) = &self.tenant {
            principal = principal.tenant(&**tenant);
        }
        principal
    }
}

impl RecordVector {
    fn fill(&mut self) {
        self.bound = hex(&record_bound(&unhex(&self.root), &self.request.bind()));
        let random = array(&self.random);
        let record = sealer(&self.key).seal_record(self.body.as_bytes(), &self.aad(), random);
        self.record = hex(&record);
    }

    fn aad(&self) -> Vec<u8> {
        let (flow_key, continuation) = (array(&self.flow_key), array(&self.continuation));
        record_aad(&flow_key, &continuation, &array(&self.bound))
    }
}

impl TicketVector {
    fn fill(&mut self) {
        let (content, aad) = (self.content.as_bytes(), self.aad.as_bytes());
        self.ticket = sealer(&self.key).seal_ticket(content, aad, array(&self.random));
    }
}

impl NameVector {
    fn fill(&mut self) {
        let state = FlowState::from_json(&self.state).unwrap();
        let root: &Root = &state.root;
        self.flow_id = ident::flow_id(root).to_string();
        self.flow_key = hex(&ident::flow_key(&self.realm, root));
        self.idempotency_key = ident::idempotency_key(root, &self.name);
        self.idempotency_key_for =
            ident::idempotency_key_for(&self.realm, None, &self.name, &self.thing);
        self.uuid = ident::flow_uuid(root, &self.name);
        self.rng_seed = hex(&ident::flow_rng_seed(root, &self.name));
        self.continuation = hex(&ident::continuation(root, &state.entries));
    }
}

fn sealer(key: &str) -> Sealer {
    let ring = KeyRing::new([Key::parse(key).unwrap()]).unwrap();
    Sealer::new(ring, Sealing::Sealed)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn array<const N: usize>(text: &str) -> [u8; N] {
    unhex(text)
        .try_into()
        .expect("the example has the right length")
}
