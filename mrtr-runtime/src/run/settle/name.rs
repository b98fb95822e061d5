//! What a record is called, which answers it is for, and what its body is sealed to.

use mrtr_core::digest::Framed;
use mrtr_core::ident;
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

    /// The names of a thing the author named: those of its own flow would be no other call's.
    ///
    /// `key` is the same in every call of one caller about it, and so are the other two: they hold
    /// no secret, and whoever reads the store can check a guess of caller, arguments and answers.
    pub(crate) fn of_thing(key: [u8; 32], round: &Round, bind: &Bind) -> Self {
        Self {
            flow: FlowKey(key),
            cont: Cont(answers(&key, round.entries(), bind)),
            bound: bound(&key, bind),
        }
    }

    /// What a body is sealed to.
    pub(super) fn aad(&self) -> Vec<u8> {
        body_aad(self.flow, self.cont, self.bound)
    }
}

/// A digest of the request. With a flow's root in it nobody who reads the store can guess the
/// request from it.
fn bound(root: &[u8], bind: &Bind) -> Bound {
    Bound(
        Framed::new("mrtr v1 bound")
            .part(root)
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
