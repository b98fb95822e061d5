//! What a record is called, which answers it is for, and what its body is sealed to.

use mrtr_core::digest::Framed;
use mrtr_core::ident;
use mrtr_core::principal::Principal;
use mrtr_core::round::Round;
use mrtr_core::seal::Bind;
use mrtr_core::state::Entry;

use crate::flow::{Bound, Cont, FlowKey, body_aad};

/// The names under which the store knows a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name {
    pub(super) flow: FlowKey,
    pub(super) cont: Cont,
    pub(super) bound: Bound,
}

impl Name {
    /// The names of a flow: everything comes from its root, nothing from a key that can change.
    pub(crate) fn of_flow(realm: &str, round: &Round, bind: &Bind) -> Self {
        let root = round.root();
        Self {
            flow: FlowKey(ident::flow_key(realm, root)),
            cont: Cont(ident::continuation(root, round.entries())),
            bound: bound(root.as_bytes(), bind),
        }
    }

    /// The names of a thing the author named, the same in every call of one caller about it.
    pub(crate) fn of_thing(
        realm: &str,
        principal: Option<&Principal>,
        tool: &str,
        key: &str,
        round: &Round,
        bind: &Bind,
    ) -> Self {
        let flow = Framed::new("mrtr v1 thing")
            .part(realm.as_bytes())
            .part(&Principal::encode(principal))
            .part(tool.as_bytes())
            .part(key.as_bytes())
            .finish();
        Self {
            flow: FlowKey(flow),
            cont: Cont(answers(&flow, round.entries(), bind)),
            bound: bound(&flow, bind),
        }
    }

    /// What a body is sealed to.
    pub(super) fn aad(&self) -> Vec<u8> {
        body_aad(self.flow, self.cont, self.bound)
    }
}

/// A digest that nobody who reads the store can guess the request from.
fn bound(secret: &[u8], bind: &Bind) -> Bound {
    Bound(
        Framed::new("mrtr v1 bound")
            .part(secret)
            .part(bind.digest())
            .finish(),
    )
}

/// The answers without the digests of their questions, which differ from flow to flow.
fn answers(flow: &[u8; 32], entries: &[Entry], bind: &Bind) -> [u8; 32] {
    let start = Framed::new("mrtr v1 thing cont")
        .part(flow)
        .part(bind.digest());
    entries
        .iter()
        .fold(start, |digest, entry| {
            let answer = &entry.answer;
            digest
                .part(entry.key.as_str().as_bytes())
                .part(&[answer.kind as u8, answer.action as u8])
                .part(answer.accepted().unwrap_or_default().as_bytes())
        })
        .finish()
}
